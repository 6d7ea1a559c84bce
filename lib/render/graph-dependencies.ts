import type { DynamoGraphDeployment, Issue, PersistentVolumeClaimEntry } from '../api/index.ts';
import { append, type Path, sortedKeys } from '../json/index.ts';
import { renderDiscovery } from './service-accounts.ts';
import { boundAccount, type BoundAccount } from './bound-account.ts';
import { createOnceChild, unownedChild, ownedChild, type ChildObject, type Parent } from './child.ts';
import type { OperatorConfig, RenderContext } from './render-context.ts';
import { renderEndpointPicker } from './endpoint-picker.ts';
import { discoveryBackend } from './discovery-backend.ts';
import { label } from './label-keys.ts';
import { account, serviceObjectName } from './object-names.ts';
import { toIssue } from './outcome.ts';
import type { RenderedObject, RenderIssue } from './result.ts';
import { componentRequests } from './component-request.ts';
import { canonicalQuantity } from './wire/canonical-quantity.ts';

/** The objects that the workloads of a graph depend on. */
interface GraphDependencies {
  readonly objects: readonly RenderedObject[];
  readonly issues: readonly RenderIssue[];
  readonly warnings: readonly Issue[];
}

/** Renders the ServiceAccounts, PersistentVolumeClaims, scaling adapters, discovery RBAC, endpoint picker objects and MPI secret of a graph. */
export function renderGraphDependencies(graph: DynamoGraphDeployment, parent: Parent, context: RenderContext): GraphDependencies {
  const objects: RenderedObject[] = [];
  const issues: RenderIssue[] = [];
  const warnings: Issue[] = [];
  const picker = endpointPickerService(graph);
  append(objects, boundAccounts(graph, parent, context, issues));
  append(objects, claims(graph, parent, context, issues, warnings));
  append(objects, adapters(graph, parent, context));
  if (discoveryBackend(graph.metadata.annotations, context.config.discoveryBackend) === 'kubernetes')
    for (const child of renderDiscovery(parent.owner.name, parent.namespace))
      objects.push(ownedChild(parent, 'graph', ['metadata', 'name'], child));
  if (picker !== undefined) {
    const path: Path = ['spec', 'services', picker];
    const children = renderEndpointPicker(parent.owner.name, parent.namespace, picker, graph.spec?.services?.[picker] ?? {});
    if ('problems' in children)
      append(
        issues,
        children.problems.map((p) => toIssue(path, p, 'failed to reconcile EPP resources: failed to generate EPP ConfigMap: ')),
      );
    else for (const child of children.value) objects.push(ownedChild(parent, 'graph', path, child));
  }
  append(objects, mpiSecret(parent, context));
  return { objects, issues, warnings };
}

/** The endpoint picker service of a graph: the first in byte order if there are several. */
export function endpointPickerService(graph: DynamoGraphDeployment): string | undefined {
  const services = graph.spec?.services ?? {};
  return sortedKeys(services).find((name) => services[name]?.componentType === 'epp');
}

function accountsOf(
  graph: DynamoGraphDeployment,
  { plannerClusterRole, eppClusterRole }: OperatorConfig,
): readonly BoundAccount[] {
  const error = (message: string): BoundAccount['noRoleError'] => ({ message, chain: message });
  const planner: BoundAccount = {
    name: account.planner,
    role: plannerClusterRole,
    path: ['metadata', 'name'],
    step: 'failed to ensure planner RBAC: ',
    noRoleError: error('planner ClusterRole name is required in cluster-wide mode'),
  };
  const picker = endpointPickerService(graph);
  if (picker === undefined) return [planner];
  return [
    planner,
    {
      name: account.epp,
      role: eppClusterRole,
      path: ['spec', 'services', picker],
      step: 'failed to ensure EPP RBAC: ',
      noRoleError: error('EPP ClusterRole name is required in cluster-wide mode when EPP service is present'),
    },
  ];
}

function boundAccounts(
  graph: DynamoGraphDeployment,
  parent: Parent,
  context: RenderContext,
  issues: RenderIssue[],
): readonly RenderedObject[] {
  if (context.config.restrictedNamespace !== '') return [];
  return accountsOf(graph, context.config).flatMap((wanted) => {
    const bound = boundAccount(wanted, parent, context.cluster);
    if ('objects' in bound) return bound.objects;
    issues.push(bound.issue);
    return [];
  });
}

function claims(
  graph: DynamoGraphDeployment,
  parent: Parent,
  { cluster }: RenderContext,
  issues: RenderIssue[],
  warnings: Issue[],
): readonly RenderedObject[] {
  return (graph.spec?.pvcs ?? []).flatMap((entry, index) => {
    if (!entry.name) return [];
    const existence = cluster.claim(parent.namespace, entry.name);
    if (existence === 'present') return [];
    const path: Path = ['spec', 'pvcs', index];
    if (entry.create === true) return [createOnceChild(parent, 'graph', path, claim(entry))];
    const missing = `PersistentVolumeClaim "${entry.name}" not found`;
    if (existence === 'absent')
      issues.push({ path, code: 'missing_claim', message: missing, chain: `failed to reconcile top-level PVCs: ${missing}` });
    else
      warnings.push({
        path,
        code: 'unknown_claim',
        message: `${missing} among the given documents: it must exist in the cluster, or set create: true`,
      });
    return [];
  });
}

function claim(entry: PersistentVolumeClaimEntry): ChildObject {
  const size = String(entry.size ?? '0');
  const storage = canonicalQuantity(size);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    name: entry.name,
    body: {
      spec: {
        accessModes: [entry.volumeAccessMode ?? ''],
        resources: { requests: { storage: typeof storage === 'string' ? storage : size } },
        storageClassName: entry.storageClass ?? '',
      },
    },
  };
}

function adapters(graph: DynamoGraphDeployment, parent: Parent, { live }: RenderContext): readonly RenderedObject[] {
  return componentRequests(graph, live).flatMap(({ graphName: name, service, component }) => {
    if (component.scalingAdapter?.enabled !== true) return [];
    const child: ChildObject = {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeploymentScalingAdapter',
      name: serviceObjectName(name, service),
      labels: { [label.component]: service, [label.graph]: name },
      body: { spec: { replicas: component.replicas ?? 1, dgdRef: { name, serviceName: service } } },
    };
    return [ownedChild(parent, 'graph', ['spec', 'services', service], child)];
  });
}

function mpiSecret(parent: Parent, { config, cluster }: RenderContext): readonly RenderedObject[] {
  const { mpiSecretName: name, mpiSecretNamespace: from } = config;
  if (name === '' || from === parent.namespace || cluster.find('Secret', parent.namespace, name)) return [];
  const secret = cluster.find('Secret', from, name);
  const body = {
    ...(secret?.['type'] !== undefined && { type: secret['type'] }),
    ...(secret?.['data'] !== undefined && { data: structuredClone(secret['data']) }),
  };
  return [unownedChild(parent, 'graph', ['metadata', 'namespace'], { apiVersion: 'v1', kind: 'Secret', name, body })];
}
