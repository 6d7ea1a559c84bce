import { Duration, Size } from 'cdk8s';
import { isDeepStrictEqual } from 'node:util';
import { isObject, type ComponentSpec, type Json, type JsonObject } from '../../api/index.ts';
import { listAt, objectAt } from '../../json/index.ts';
import { isCpuAmount, isQuantityLiteral } from '../quantity.ts';
import { call, literal, object, type Code } from './code.ts';
import { placementCode } from './placement-plan.ts';

/** Generated code for the properties of a component, by property name. */
export type Props = Record<string, Code | undefined>;

/** Fields of `want` that differ from `base`, except those in `without`. */
function changed(base: JsonObject, want: JsonObject, without: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(want).filter(([k, v]) => !without.includes(k) && !isDeepStrictEqual(base[k], v)));
}

const nonEmpty = (value: JsonObject): Code | undefined => (Object.keys(value).length === 0 ? undefined : literal(value));

/** Code for a size in whole gibibytes or mebibytes. */
function sizeCode(value: Json | undefined): Code<Size> | undefined {
  const match = typeof value === 'string' ? /^([1-9]\d{0,8})(Gi|Mi)$/.exec(value) : null;
  if (match === null) return undefined;
  const amount = literal(Number(match[1]));
  return match[2] === 'Gi'
    ? call('Size.gibibytes', (n: number) => Size.gibibytes(n), amount)
    : call('Size.mebibytes', (n: number) => Size.mebibytes(n), amount);
}

/** Code for environment variables, if the property `env` can express them: plain strings, sorted by name. */
export function envCode(list: readonly Json[], derived: readonly Json[] = []): Code | undefined {
  const entries: [string, Json][] = [];
  for (const item of list) {
    if (
      !isObject(item) ||
      typeof item['name'] !== 'string' ||
      typeof item['value'] !== 'string' ||
      Object.keys(item).length !== 2
    )
      return undefined;
    entries.push([item['name'], item['value']]);
  }
  const names = entries.map(([n]) => n);
  if (names.some((n, index) => index > 0 && n <= (names[index - 1] ?? ''))) return undefined;
  return literal(
    Object.fromEntries(entries.filter(([n, value]) => !derived.some((d) => isDeepStrictEqual(d, { name: n, value })))),
  );
}

function resources(base: JsonObject, want: JsonObject): Props {
  const limits = objectAt(want, 'resources', 'limits');
  const requests = objectAt(want, 'resources', 'requests');
  const custom = objectAt(limits, 'custom');
  const cpu = typeof limits['cpu'] === 'string' ? limits['cpu'] : undefined;
  const memory = sizeCode(limits['memory']);
  const cpuRequest = requests['cpu'];
  return {
    cpu: cpu === undefined || !isCpuAmount(cpu) ? undefined : literal(cpu),
    cpuRequest: typeof cpuRequest === 'string' && cpuRequest !== cpu && isCpuAmount(cpuRequest) ? literal(cpuRequest) : undefined,
    memory,
    memoryRequest: requests['memory'] === limits['memory'] ? undefined : sizeCode(requests['memory']),
    requestGpus: requests['gpu'] !== undefined && requests['gpu'] === limits['gpu'] ? literal(true) : undefined,
    resources: Object.values(custom).every((v) => typeof v === 'string' && isQuantityLiteral(v))
      ? nonEmpty(changed(objectAt(base, 'resources', 'limits', 'custom'), custom, []))
      : undefined,
  };
}

const podKeys = ['mainContainer', 'volumes', 'terminationGracePeriodSeconds'];
const containerKeys = ['image', 'workingDir', 'command', 'args', 'startupProbe', 'volumeMounts', 'env'];
const typedKeys = [
  'replicas',
  'resources',
  'envFromSecret',
  'sharedMemory',
  'labels',
  'annotations',
  'livenessProbe',
  'readinessProbe',
  'globalDynamoNamespace',
  'extraPodSpec',
];

/** Items of `want` after those of `base`, if it starts with them. */
function added(base: readonly Json[], want: readonly Json[]): readonly Json[] {
  return base.every((item, index) => isDeepStrictEqual(item, want[index])) ? want.slice(base.length) : [];
}

/** Code for the property `containerEnv`, if it can express a list: plain strings with unique names that JavaScript keeps in order. */
function containerEnv(list: readonly Json[]): Code | undefined {
  const entries: [string, string][] = [];
  for (const item of list) {
    if (!isObject(item) || Object.keys(item).length !== 2) return undefined;
    const { name, value } = item;
    if (typeof name !== 'string' || typeof value !== 'string' || /^(?:\d+|__proto__|constructor)$/.test(name)) return undefined;
    entries.push([name, value]);
  }
  if (entries.length === 0 || new Set(entries.map(([name]) => name)).size !== entries.length) return undefined;
  return literal(Object.fromEntries(entries));
}

function containerProps(base: JsonObject, want: JsonObject, mayCommand: boolean): Props {
  const mounts = added(listAt(base, 'volumeMounts'), listAt(want, 'volumeMounts'));
  const command =
    mayCommand &&
    want['command'] !== undefined &&
    (!isDeepStrictEqual(base['command'], want['command']) || !isDeepStrictEqual(base['args'], want['args']));
  const env = containerEnv(listAt(want, 'env'));
  const fields = {
    ...(env === undefined && want['env'] !== undefined ? { env: want['env'] } : {}),
    ...(command ? { command: want['command'], ...(want['args'] === undefined ? {} : { args: want['args'] }) } : {}),
    ...changed(base, want, containerKeys),
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts }),
  };
  return {
    image: want['image'] === base['image'] || typeof want['image'] !== 'string' ? undefined : literal(want['image']),
    workingDir:
      want['workingDir'] === base['workingDir'] || typeof want['workingDir'] !== 'string'
        ? undefined
        : literal(want['workingDir']),
    startupProbe: isObject(want['startupProbe']) ? literal(want['startupProbe']) : undefined,
    containerEnv: env,
    container: nonEmpty(fields),
  };
}

function podProps(base: JsonObject, want: JsonObject, mayCommand: boolean): Props {
  const volumes = added(listAt(base, 'volumes'), listAt(want, 'volumes'));
  const grace = want['terminationGracePeriodSeconds'];
  const placement = placementCode(want);
  return {
    // The API server accepts a negative number; a Duration cannot hold one.
    terminationGracePeriod:
      typeof grace === 'number' && grace >= 0
        ? call('Duration.seconds', (n: number) => Duration.seconds(n), literal(grace))
        : undefined,
    ...containerProps(objectAt(base, 'mainContainer'), objectAt(want, 'mainContainer'), mayCommand),
    placement: placement?.code,
    pod: nonEmpty({
      ...changed(base, want, [...podKeys, ...(placement?.covers ?? [])]),
      ...(volumes.length === 0 ? {} : { volumes }),
    }),
  };
}

/** Properties that turn a derived component into that of a manifest, as far as properties can; with `mayCommand`, its command too. */
export function overrides(derived: ComponentSpec, manifest: JsonObject, mayCommand: boolean): Props {
  const base = derived as JsonObject;
  const want = manifest;
  const secret = want['envFromSecret'];
  const env = envCode(listAt(want, 'envs'), listAt(base, 'envs'));
  const metadata = objectAt(want, 'extraPodMetadata');
  const plainMetadata = Object.keys(metadata).every((k) => k === 'annotations' || k === 'labels');
  const rest = changed(base, want, [
    ...typedKeys,
    ...(env === undefined ? [] : ['envs']),
    ...(plainMetadata ? ['extraPodMetadata'] : []),
  ]);
  const shared = objectAt(want, 'sharedMemory');
  return {
    replicas:
      typeof want['replicas'] === 'number' && want['replicas'] !== base['replicas'] ? literal(want['replicas']) : undefined,
    ...resources(base, want),
    sharedMemory:
      want['sharedMemory'] === undefined && base['sharedMemory'] !== undefined
        ? literal(false)
        : Object.keys(shared).length === 1 && !isDeepStrictEqual(shared, base['sharedMemory'])
          ? sizeCode(shared['size'])
          : undefined,
    env: env === undefined || Object.keys(env.value as object).length === 0 ? undefined : env,
    envFromSecret:
      secret === base['envFromSecret'] ? undefined : typeof secret === 'string' ? literal({ name: secret }) : literal(false),
    labels: nonEmpty(objectAt(want, 'labels')),
    annotations: nonEmpty(objectAt(want, 'annotations')),
    podLabels: plainMetadata ? nonEmpty(objectAt(metadata, 'labels')) : undefined,
    podAnnotations: plainMetadata ? nonEmpty(objectAt(metadata, 'annotations')) : undefined,
    livenessProbe: isObject(want['livenessProbe']) ? literal(want['livenessProbe']) : undefined,
    readinessProbe: isObject(want['readinessProbe']) ? literal(want['readinessProbe']) : undefined,
    globalNamespace: want['globalDynamoNamespace'] === true ? literal(true) : undefined,
    ...podProps(objectAt(base, 'extraPodSpec'), objectAt(want, 'extraPodSpec'), mayCommand),
    spec: nonEmpty(rest),
  };
}

/** Code for an object of properties. */
export function propsCode(props: Props): Code {
  return object<object>(props);
}
