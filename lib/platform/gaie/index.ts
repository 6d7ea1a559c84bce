/** The inference gateway's objects for one graph, as the chart `dynamo-gaie` makes them: endpoint picker, pool and route. */
import type { Json, JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { isFloating } from '../images.ts';
import { fillIn } from '../merge.ts';
import { chartName, fullName } from '../release-names.ts';
import type { PartResult } from '../part.ts';
import { plainObject } from '../plain-object.ts';
import { checkGaie } from './checks.ts';
import { defaults } from './defaults.ts';
import { configFile, configKey, pickerDynamoNamespace, pickerDeployment, type GaieRelease } from './picker.ts';

export { defaults } from './defaults.ts';
export { schema, type GaieValues } from './schema.ts';

const read = ['get', 'list', 'watch'];
const rbac = 'rbac.authorization.k8s.io';

function rule(apiGroup: string, resources: readonly string[], verbs: readonly string[]): JsonObject {
  return { apiGroups: [apiGroup], resources, verbs };
}

/** What the endpoint picker reads, writes and asks the API server to check. */
const rules = [
  rule('inference.networking.x-k8s.io', ['inferencepools', 'inferenceobjectives', 'inferencemodelrewrites'], read),
  rule('inference.networking.k8s.io', ['inferencepools'], read),
  rule('', ['pods'], read),
  rule('discovery.k8s.io', ['endpointslices'], read),
  rule('nvidia.com', ['dynamoworkermetadatas'], ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']),
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
  rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
];

/** Names of role and binding: the original's are fixed, so that a second installation takes the rights of the first away. */
function roleNames({ context, stem }: GaieRelease): { readonly role: string; readonly binding: string } {
  if (!context.switches['gaie-repairs']) return { role: 'pod-read', binding: 'pod-read-binding' };
  const name = `${context.namespace}-${stem}-epp`;
  return { role: name, binding: name };
}

function accessObjects(gaie: GaieRelease): readonly JsonObject[] {
  const { role, binding } = roleNames(gaie);
  const own = gaie.account !== 'default';
  return [
    ...(own ? [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: gaie.account } }] : []),
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: role }, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: binding },
      subjects: [{ kind: 'ServiceAccount', name: gaie.account, namespace: gaie.context.namespace }],
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    },
  ];
}

function pool(gaie: GaieRelease): JsonObject {
  return {
    apiVersion: 'inference.networking.k8s.io/v1',
    kind: 'InferencePool',
    metadata: { name: `${gaie.stem}-pool` },
    spec: {
      targetPorts: [{ number: atPath(gaie.values, 'inferencePool.port') }],
      selector: {
        matchLabels: {
          'nvidia.com/dynamo-component': 'Frontend',
          'nvidia.com/dynamo-namespace': pickerDynamoNamespace(gaie),
        },
      },
      endpointPickerRef: { group: '', kind: 'Service', name: `${gaie.stem}-epp`, port: { number: 9002 } },
    },
  };
}

function route({ values, context, stem }: GaieRelease): JsonObject {
  const block = atPath(values, 'httpRoute');
  const given = atPath(block, 'gatewayNamespace');
  const backend = {
    group: 'inference.networking.k8s.io',
    kind: 'InferencePool',
    name: `${stem}-pool`,
    namespace: context.namespace,
    port: atPath(values, 'inferencePool.port'),
    weight: 1,
  };
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: `${stem}-route` },
    spec: {
      parentRefs: [
        {
          group: 'gateway.networking.k8s.io',
          kind: 'Gateway',
          name: templateString(atPath(block, 'gatewayName')),
          namespace: truthy(given) ? templateString(given) : context.namespace,
        },
      ],
      rules: [
        {
          backendRefs: [backend],
          matches: [{ path: { type: 'PathPrefix', value: templateString(atPath(block, 'path.prefix')) } }],
          timeouts: { request: templateString(atPath(block, 'timeout.request')) },
        },
      ],
    },
  };
}

function policy(stem: string): JsonObject {
  const app = `${stem}-epp`;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: app, labels: { app } },
    spec: {
      podSelector: { matchLabels: { app } },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [9002, 9003, 9090].map((port) => ({ port, protocol: 'TCP' })), from: [{ namespaceSelector: {} }] }],
    },
  };
}

function documents(gaie: GaieRelease): readonly Json[] {
  const { values, context, stem } = gaie;
  const labels = {
    'app.kubernetes.io/name': chartName({ chart: 'dynamo-gaie', nameOverride: values['nameOverride'] }),
    'app.kubernetes.io/instance': context.release,
  };
  const app = `${stem}-epp`;
  return [
    ...(context.switches['network-policies'] ? [policy(stem)] : []),
    ...accessObjects(gaie),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: gaie.configMap, labels }, data: { [configKey]: configFile } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: app },
      spec: {
        selector: { app },
        ports: [{ protocol: 'TCP', port: 9002, targetPort: 9002, appProtocol: 'http2' }],
        type: 'ClusterIP',
      },
    },
    pickerDeployment(gaie),
    pool(gaie),
    ...(truthy(atPath(values, 'httpRoute.enabled')) ? [route(gaie)] : []),
  ];
}

/** Renders the inference gateway of one graph from the user's values. Paths of problems start at the root of these values. */
export function renderGaie(user: JsonObject, context: PlatformContext): PartResult {
  const values = fillIn(user, defaults);
  const { issues, warnings } = checkGaie(user, values, context);
  if (issues.length > 0) return { objects: [], issues, warnings };
  const full = fullName({
    release: context.release,
    chart: 'dynamo-gaie',
    nameOverride: values['nameOverride'],
    fullnameOverride: values['fullnameOverride'],
  });
  const stem = templateString(atPath(values, 'model.shortName'));
  const account = context.switches['gaie-repairs'] ? `${stem}-epp` : 'default';
  const gaie: GaieRelease = { values, context, stem, configMap: `${full}-epp-config`, account };
  const objects = documents(gaie).flatMap((document) => {
    const object = plainObject(document, [], issues);
    if (object === undefined || object.kind.startsWith('Cluster')) return object ?? [];
    return [{ ...object, metadata: { ...object.metadata, namespace: context.namespace } }];
  });
  if (isFloating(templateString(atPath(values, 'extension.image')))) {
    const message = 'should name a version or a digest: a floating tag makes every restart a possible upgrade';
    warnings.push({ path: ['extension', 'image'], code: 'floating_image', message });
  }
  return { objects, issues, warnings };
}
