import type { ComponentSpec, ContainerPort, ContainerVolumeMount, Probe, Volume } from '../../api/index.ts';
import { account, endpointPickerConfigFile, endpointPickerConfigMapName, inferencePoolName } from '../object-names.ts';
import { port } from '../ports.ts';
import { variable } from './env.ts';
import type { Env } from './types.ts';

/** The defaults of a component type, which the user's settings override. */
export interface TypeDefaults {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly ports?: readonly ContainerPort[];
  readonly env: Env;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly serviceAccountName?: string;
  readonly graceSeconds: number;
  readonly volumes?: readonly Volume[];
  readonly volumeMounts?: readonly ContainerVolumeMount[];
}

const shell = (): readonly string[] => ['/bin/sh', '-c'];
const graceSeconds = 60;

const frontend = (): TypeDefaults => ({
  command: ['python3'],
  args: ['-m', 'dynamo.frontend'],
  ports: [{ name: 'http', containerPort: port.http, protocol: 'TCP' }],
  env: [variable('DYNAMO_PORT', `${port.http}`), variable('DYN_HTTP_PORT', `${port.http}`)],
  livenessProbe: {
    httpGet: { path: '/live', port: 'http' },
    initialDelaySeconds: 15,
    timeoutSeconds: 1,
    periodSeconds: 10,
    failureThreshold: 3,
  },
  readinessProbe: {
    httpGet: { path: '/health', port: 'http' },
    initialDelaySeconds: 10,
    timeoutSeconds: 3,
    periodSeconds: 10,
    failureThreshold: 3,
  },
  graceSeconds,
});

const worker = (): TypeDefaults => ({
  command: shell(),
  ports: [{ name: 'system', containerPort: port.system, protocol: 'TCP' }],
  env: [
    variable('DYN_SYSTEM_ENABLED', 'true'),
    variable('DYN_SYSTEM_USE_ENDPOINT_HEALTH_STATUS', '["generate"]'),
    variable('DYN_SYSTEM_PORT', `${port.system}`),
    variable('DYN_HEALTH_CHECK_ENABLED', 'false'),
  ],
  livenessProbe: { httpGet: { path: '/live', port: 'system' }, timeoutSeconds: 4, periodSeconds: 5, failureThreshold: 1 },
  readinessProbe: { httpGet: { path: '/health', port: 'system' }, timeoutSeconds: 4, periodSeconds: 10, failureThreshold: 3 },
  startupProbe: { httpGet: { path: '/live', port: 'system' }, timeoutSeconds: 5, periodSeconds: 10, failureThreshold: 720 },
  graceSeconds,
});

const planner = (): TypeDefaults => ({
  command: shell(),
  ports: [{ name: 'metrics', containerPort: port.plannerMetrics, protocol: 'TCP' }],
  env: [variable('PLANNER_PROMETHEUS_PORT', `${port.plannerMetrics}`)],
  serviceAccountName: account.planner,
  graceSeconds,
});

const other = (): TypeDefaults => ({ command: shell(), env: [], graceSeconds });

const byType: Readonly<Record<string, () => TypeDefaults>> = { frontend, worker, prefill: worker, decode: worker, planner };

/** Component types that run an inference engine. */
export const engineTypes: ReadonlySet<string> = new Set(['worker', 'prefill', 'decode']);

/** The defaults of a component. Those of an endpoint picker contain names derived from the graph. */
export function typeDefaults(component: ComponentSpec, graph: string, namespace: string): TypeDefaults {
  const type = component.componentType ?? '';
  if (type === 'epp') return endpointPicker(component, graph, namespace);
  const defaults = Object.hasOwn(byType, type) ? byType[type] : undefined;
  return (defaults ?? other)();
}

function endpointPicker(component: ComponentSpec, graph: string, namespace: string): TypeDefaults {
  const reference = component.eppConfig?.configMapRef;
  const grpc = () => ({ port: port.eppHealth, service: 'inference-extension' });
  return {
    // prettier-ignore
    args: [
      '-pool-name', inferencePoolName(graph), '-pool-namespace', namespace, '-pool-group', 'inference.networking.k8s.io',
      '-v', '4', '--zap-encoder', 'json', '-grpc-port', `${port.eppGrpc}`, '-grpc-health-port', `${port.eppHealth}`,
      '-config-file', `/etc/epp/${endpointPickerConfigFile}`,
    ],
    ports: [
      { name: 'grpc', containerPort: port.eppGrpc, protocol: 'TCP' },
      { name: 'grpc-health', containerPort: port.eppHealth, protocol: 'TCP' },
      { name: 'metrics', containerPort: port.eppMetrics, protocol: 'TCP' },
    ],
    env: [
      variable('DYN_KV_BLOCK_SIZE', '16'),
      variable('USE_STREAMING', 'true'),
      variable('RUST_LOG', 'debug,dynamo_llm::kv_router=trace'),
    ],
    livenessProbe: { grpc: grpc(), initialDelaySeconds: 5, periodSeconds: 10 },
    readinessProbe: { grpc: grpc(), initialDelaySeconds: 5, periodSeconds: 10 },
    startupProbe: { grpc: grpc(), periodSeconds: 10, failureThreshold: 180 },
    serviceAccountName: account.epp,
    graceSeconds: 130,
    volumes: [
      {
        name: 'epp-config',
        configMap: {
          ...(reference === undefined
            ? { name: endpointPickerConfigMapName(graph) }
            : reference.name
              ? { name: reference.name }
              : {}),
          items: [{ key: reference?.key || endpointPickerConfigFile, path: endpointPickerConfigFile }],
        },
      },
      { name: 'hf-cache', emptyDir: {} },
    ],
    volumeMounts: [
      { name: 'epp-config', mountPath: '/etc/epp', readOnly: true },
      { name: 'hf-cache', mountPath: '/home/nonroot/.cache' },
    ],
  };
}
