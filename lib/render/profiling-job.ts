import type { DynamoGraphDeploymentRequest, ProfilingConfig } from '../api/index.ts';
import { isObject, type Json, type JsonObject, type Path } from '../json/index.ts';
import { boundAccount } from './bound-account.ts';
import { ownedChild, type ChildObject, type Parent } from './child.ts';
import type { RenderContext } from './render-context.ts';
import { label } from './label-keys.ts';
import { account, profilingJobName } from './object-names.ts';
import { outputCopierScript } from './output-copier.ts';
import { problem, toIssue, type Outcome } from './outcome.ts';
import type { RenderedObject, RenderIssue } from './result.ts';
import { resourceRequirements } from './wire/container-shapes.ts';
import { rewrite } from './wire/field.ts';
import { toleration } from './wire/pod-shapes.ts';
import { goYaml } from './wire/go-yaml.ts';

/** Renders the profiling Job of a DynamoGraphDeploymentRequest and its ServiceAccount. */
export function renderRequest(
  request: DynamoGraphDeploymentRequest,
  context: RenderContext,
): { readonly objects: readonly RenderedObject[]; readonly issues: readonly RenderIssue[] } {
  const namespace = request.metadata.namespace ?? '';
  const name = request.metadata.name ?? '';
  const owner = { apiVersion: request.apiVersion, kind: request.kind, namespace, name, uid: request.metadata.uid ?? '' };
  const parent: Parent = { source: request, namespace, owner };
  const { config, cluster } = context;
  const unresolved = missingReferences(request, namespace, context);
  if (unresolved.length > 0) return { objects: [], issues: unresolved };
  const job = profilingJob(request, name, namespace);
  if ('problems' in job) return { objects: [], issues: job.problems.map((p) => toIssue([], p, '')) };
  const rendered = ownedChild(parent, 'workload', ['spec'], job.value);
  if (config.restrictedNamespace !== '') return { objects: [rendered], issues: [] };
  const message = 'cluster role name is required';
  const step = 'failed to ensure profiling job RBAC: ';
  const noRoleError = { message, chain: `${step}${message}` };
  const bound = boundAccount(
    { name: account.profiling, role: config.profilingClusterRole, path: ['metadata', 'name'], step, noRoleError },
    parent,
    cluster,
  );
  return 'issue' in bound ? { objects: [], issues: [bound.issue] } : { objects: [...bound.objects, rendered], issues: [] };
}

function missingReferences(
  { spec }: DynamoGraphDeploymentRequest,
  namespace: string,
  { cluster }: RenderContext,
): readonly RenderIssue[] {
  const issue = (path: Path, message: string): RenderIssue => ({ path, code: 'missing_reference', message, chain: message });
  const reference = spec?.profilingConfig?.configMapRef;
  const path: Path = ['spec', 'profilingConfig', 'configMapRef'];
  const keys = reference && cluster.configMapKeys(namespace, reference.name);
  const key = reference?.key ?? 'disagg.yaml';
  const issues =
    reference && keys && !keys.includes(key)
      ? [issue([...path, 'key'], `key ${key} not found in ConfigMap ${reference.name}`)]
      : [];
  const claim = modelCache(spec?.profilingConfig?.config)?.claim;
  if (claim !== undefined && cluster.claim(namespace, claim) === 'absent')
    issues.push(
      issue(
        ['spec', 'profilingConfig', 'config', 'deployment', 'modelCache', 'pvcName'],
        `model cache PVC ${claim} not found in namespace ${namespace}`,
      ),
    );
  return issues;
}

function profilingJob({ metadata, spec }: DynamoGraphDeploymentRequest, name: string, namespace: string): Outcome<ChildObject> {
  const profiling: Partial<ProfilingConfig> = spec?.profilingConfig ?? {};
  const config = profilerConfig(spec, namespace);
  if ('problems' in config) return config;
  const volumes = jobVolumes(profiling);
  const profiler = {
    name: 'profiler',
    image: profiling.profilerImage ?? '',
    command: ['python', '-m', 'benchmarks.profiler.profile_sla'],
    args: ['--profile-config', goYaml(config.value), ...(spec?.enableGpuDiscovery === true ? ['--enable-gpu-discovery'] : [])],
    env: [
      { name: 'HUGGING_FACE_HUB_TOKEN', valueFrom: { secretKeyRef: { name: 'hf-token-secret', key: 'HF_TOKEN' } } },
      { name: 'NATS_SERVER', value: `nats://${namespace}-nats:4222` },
      { name: 'ETCD_ENDPOINTS', value: `${namespace}-etcd:2379` },
      { name: 'DGDR_NAME', value: name },
      { name: 'DGDR_NAMESPACE', value: namespace },
      { name: 'DGDR_UID', ...(metadata.uid && { value: metadata.uid }) },
    ],
    resources: rewrite(resourceRequirements, profiling.resources),
    volumeMounts: volumes.map(({ mount }) => mount),
  };
  const copier = {
    name: 'output-copier',
    image: 'bitnami/kubectl:latest',
    command: ['/bin/sh', '-c'],
    args: [outputCopierScript(name, namespace)],
    resources: {},
    volumeMounts: [{ name: 'profiling-output', mountPath: '/data', readOnly: true }],
  };
  const tolerations = (profiling.tolerations ?? []).map((entry) => rewrite(toleration, entry));
  const podSpec = {
    serviceAccountName: account.profiling,
    restartPolicy: 'Never',
    securityContext: { runAsUser: 1000, runAsGroup: 1000, runAsNonRoot: true, fsGroup: 1000 },
    imagePullSecrets: [{ name: 'nvcr-imagepullsecret' }],
    ...(tolerations.length > 0 && { tolerations }),
    containers: [profiler, copier],
    volumes: volumes.map(({ volume }) => volume),
  };
  return {
    value: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: profilingJobName(name),
      labels: {
        app: usesConfigurator(profiling.config) ? 'aic-profiler' : 'dynamo-profiler',
        dgdr: name,
        [label.managedBy]: 'dynamo-operator',
      },
      body: { spec: { backoffLimit: 3, template: { metadata: {}, spec: podSpec } } },
    },
  };
}

function jobVolumes(profiling: Partial<ProfilingConfig>): readonly { readonly volume: object; readonly mount: object }[] {
  const { outputPVC, configMapRef } = profiling;
  const cache = modelCache(profiling.config);
  const output = outputPVC ? { persistentVolumeClaim: { claimName: outputPVC } } : { emptyDir: {} };
  return [
    { volume: { name: 'profiling-output', ...output }, mount: { name: 'profiling-output', mountPath: '/data' } },
    ...(configMapRef === undefined
      ? []
      : [
          {
            volume: {
              name: 'profiling-config',
              configMap: { name: configMapRef.name, items: [{ key: configMapRef.key ?? 'disagg.yaml', path: 'disagg.yaml' }] },
            },
            mount: { name: 'profiling-config', mountPath: '/config', readOnly: true },
          },
        ]),
    ...(cache === undefined
      ? []
      : [
          {
            volume: { name: 'model-cache', persistentVolumeClaim: { claimName: cache.claim, readOnly: true } },
            mount: { name: 'model-cache', mountPath: cache.path, readOnly: true },
          },
        ]),
  ];
}

function modelCache(config: unknown): { readonly claim: string; readonly path: string } | undefined {
  const deployment = isObject(config) ? config['deployment'] : undefined;
  const cache = isObject(deployment) ? deployment['modelCache'] : undefined;
  if (!isObject(cache)) return undefined;
  const { pvcName, mountPath } = cache;
  if (typeof pvcName !== 'string' || pvcName === '') return undefined;
  return { claim: pvcName, path: typeof mountPath === 'string' && mountPath !== '' ? mountPath : '/opt/model-cache' };
}

function usesConfigurator(config: unknown): boolean {
  const sweep = isObject(config) ? config['sweep'] : undefined;
  if (!isObject(sweep)) return false;
  const { useAiConfigurator, use_ai_configurator } = sweep;
  return typeof useAiConfigurator === 'boolean' ? useAiConfigurator : use_ai_configurator === true;
}

/** The profiler's configuration, with the fields that the request sets. */
function profilerConfig(spec: DynamoGraphDeploymentRequest['spec'], namespace: string): Outcome<JsonObject> {
  const config: JsonObject = isObject(spec?.profilingConfig?.config) ? spec.profilingConfig.config : {};
  const path = ['spec', 'profilingConfig', 'config'];
  const sections: Record<string, JsonObject> = {};
  for (const section of ['deployment', 'engine']) {
    const given = config[section] ?? {};
    if (!isObject(given))
      return problem('type', [...path, section], `profilingConfig.config.${section} must be an object, got ${goType(given)}`);
    sections[section] = given;
  }
  const workersImage = spec?.deploymentOverrides?.workersImage;
  return {
    value: {
      ...config,
      deployment: {
        namespace,
        ...sections['deployment'],
        model: spec?.model ?? '',
        ...(workersImage && { dgd_image: workersImage }),
      },
      engine: {
        ...sections['engine'],
        backend: spec?.backend ?? '',
        ...(spec?.profilingConfig?.configMapRef && { config: '/config/disagg.yaml' }),
      },
      output_dir: config['output_dir'] === undefined ? '/data' : config['output_dir'],
    },
  };
}

function goType(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'float64';
}
