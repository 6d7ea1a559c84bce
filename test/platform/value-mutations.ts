/** Single changes to the platform's values: for each value of the schema what a user may write there, right and wrong. */
import type { Json, JsonObject, Path } from '../../lib/json/index.ts';
import type { ValuesSchema } from '../../lib/platform/part.ts';
import { valuesSchema } from '../../lib/platform/values-schema.ts';

/** A value of the platform, changed. */
export interface ValueMutation {
  readonly path: Path;
  readonly value: Json;
}

const long = 'x'.repeat(300);
const wrongStrings: readonly Json[] = ['ten', '10Gigs', 'Fast_SSD', 'two words', '1y', '-1', '0', '10Gi', '30s', long, 7, true];
const wrongIntegers: readonly Json[] = [0, 1, 2, 31, 61, 70_000];

/** What users pass through to a piece of a Kubernetes object, by the last words of its path. */
const pieces: Readonly<Record<string, readonly Json[]>> = {
  resources: [
    { limits: { memory: '2GB' } },
    { requests: { cpu: '2 cores' } },
    { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } },
    { limits: { cpu: -1 } },
    { limits: { 'nvidia.com/gpu': '0.5' } },
    { limits: ['cpu'] },
    { claims: [{ name: 'none' }] },
    { limits: { gpu: 1 } },
    { limit: { cpu: 1 } },
  ],
  tolerations: [
    [{ operator: 'Equals' }],
    [{ key: 'a', effect: 'NoScheduling' }],
    [{ key: 'a b' }],
    [{ operator: 'Exists', value: 'x' }],
    [{ key: 'a', tolerationSeconds: 'ten', effect: 'NoExecute' }],
    [{ key: 'a', tolerationSeconds: 10 }],
    [{ keys: 'a' }],
  ],
  affinity: [
    { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }] } },
    { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 200, preference: {} }] } },
    { nodeAfinity: {} },
    { nodeAffinity: [] },
  ],
  nodeSelector: [{ 'bad key!': 'x' }, { a: 'bad value!' }],
  securityContext: [{ runAsUser: -1 }, { runAsUser: 'root' }, { runAsNonRoot: 'yes' }, { seccompProfile: { type: 'Localhost' } }],
  imagePullSecrets: [[{ name: 'A B' }], [{ name: '' }], [{}], ['x_y'], [{ secret: 'x' }]],
  topologySpreadConstraints: [
    [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
    [{ maxSkew: 1, topologyKey: '', whenUnsatisfiable: 'DoNotSchedule' }],
    [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'Never' }],
  ],
  env: [
    [{ name: '1A' }],
    [{ name: 'A B', value: 'x' }],
    [{ value: 'x' }],
    [{ name: 'A', value: 1 }],
    [{ name: 'A', valueFrom: {} }],
  ],
  volumes: [
    [{ name: 'A' }],
    [{ name: 'a' }],
    [{ name: 'a', emptyDir: {}, hostPath: { path: '/' } }],
    [{ name: 'a', secret: {} }],
  ],
  volumeMounts: [[{ name: 'none', mountPath: '/x' }], [{ name: 'data' }]],
  containers: [
    [{ name: 'a' }],
    [{ name: 'A', image: 'x' }],
    [{ image: 'x' }],
    [{ name: 'a', image: 'x', ports: [{ containerPort: 0 }] }],
  ],
  probe: [
    { httpGet: {} },
    { exec: { command: [] } },
    { tcpSocket: { port: 70_000 } },
    { httpGet: { port: 80 }, exec: { command: ['x'] } },
  ],
  ports: [
    [{ name: 'x', port: 0 }],
    [{ port: 80 }, { port: 81 }],
    [{ name: 'x', port: 80, targetPort: 'toolongportname1' }],
    [{ name: 'x', port: 80, protocol: 'ICMP' }],
  ],
  merge: [
    { spec: { replicas: -1 } },
    { spec: { replicas: 'two' } },
    { metadata: { labels: { a: 'b c' } } },
    { spec: { tolerations: [{ operator: 'Equals' }] } },
  ],
  strategy: [
    { type: 'Rolling' },
    { type: 'OnDelete' },
    { type: 'Recreate' },
    { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
    { type: 'OnDelete', rollingUpdate: { partition: 1 } },
    { type: 'RollingUpdate', rollingUpdate: { partition: -1 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: '150%' } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 'two' } },
    { rollingUpdate: { maxSurge: '10%' } },
  ],
  selector: [{ matchLabels: { a: 'b c' } }, { matchExpressions: [{ key: 'a', operator: 'Is' }] }, { matchLabel: { a: 'b' } }],
};

/** Which of them a path is about. */
const pieceOf: readonly (readonly [RegExp, string])[] = [
  [/resources$/i, 'resources'],
  [/tolerations$/i, 'tolerations'],
  [/affinity$/i, 'affinity'],
  [/nodeSelector$/, 'nodeSelector'],
  [/securityContext$/i, 'securityContext'],
  [/pullSecrets$/i, 'imagePullSecrets'],
  [/topologySpreadConstraints$/, 'topologySpreadConstraints'],
  [/env(Vars)?$/i, 'env'],
  [/extraVolumes$/, 'volumes'],
  [/extraVolumeMounts$/, 'volumeMounts'],
  [/(initContainers|sidecars)$/, 'containers'],
  [/Probe$/, 'probe'],
  [/strategy$/i, 'strategy'],
  [/ports$/i, 'ports'],
  [/(selector|LabelSelector)$/, 'selector'],
  [/merge$/, 'merge'],
];

function pieceValues(name: string): readonly Json[] {
  const [, key] = pieceOf.find(([pattern]) => pattern.test(name)) ?? [];
  return key === undefined ? [] : (pieces[key] ?? []);
}

function leafValues(name: string, schema: ValuesSchema): readonly Json[] {
  const types = schema.type ?? [];
  const piece = pieceValues(name);
  if (types.includes('array')) {
    if (piece.length > 0) return piece;
    return schema.items?.type?.includes('integer') === true
      ? [[0], [70_000], ['x']]
      : [['two words'], ['UPPER'], [long], ['x', 'x']];
  }
  if (types.includes('object')) {
    if (piece.length > 0 && !(typeof schema.additionalProperties === 'object')) return piece;
    if (typeof schema.additionalProperties === 'object') return [{ 'bad key!': 'x' }, { a: 'bad value!' }, { a: long }, { a: 1 }];
    return [{ unknownField: 1 }];
  }
  if (schema.enum !== undefined) return [...schema.enum.filter((value) => value !== null), 'Nonsense'];
  if (types.includes('boolean') && !types.includes('string')) return [true, false];
  return types.includes('integer') ? wrongIntegers : wrongStrings;
}

function walk(schema: ValuesSchema, path: Path, found: ValueMutation[]): void {
  if (schema.properties !== undefined) {
    for (const [key, child] of Object.entries(schema.properties)) walk(child, [...path, key], found);
    return;
  }
  for (const value of leafValues(String(path.at(-1)), schema)) found.push({ path, value });
}

/** Every mutation of every value. */
export function valueMutations(): readonly ValueMutation[] {
  const found: ValueMutation[] = [];
  walk(valuesSchema(), [], found);
  return found;
}

/** Values that hold nothing but one changed value. */
export function valuesWith({ path, value }: ValueMutation): JsonObject {
  const nested = path.reduceRight<Json>((inner, key) => ({ [String(key)]: inner }), value);
  return typeof nested === 'object' && nested !== null && !Array.isArray(nested) ? (nested as JsonObject) : {};
}
