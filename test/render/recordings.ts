import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject, normalizeResource, type Json, type JsonObject } from '../../lib/api/index.ts';
import {
  chartConfig,
  clusterOfDocuments,
  renderResource,
  withFlags,
  type RenderContext,
  type RenderResult,
  type Source,
} from '../../lib/render/index.ts';

/** What the original did with one input, recorded on a real API server. */
export interface Recording {
  readonly id: string;
  readonly mode: string;
  readonly namespace: string;
  readonly flags: readonly string[];
  readonly apiGroups: readonly string[];
  readonly input: readonly JsonObject[];
  readonly cluster?: readonly JsonObject[];
  readonly created: readonly JsonObject[];
  readonly refused?: readonly { readonly kind: string; readonly name: string; readonly message: string }[];
  readonly error?: string;
  readonly partial?: boolean;
}

/** Every recording in a folder, by file name. */
export function readRecordings(folder: string): readonly (readonly [string, Recording])[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files
    .sort()
    .map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recording]);
}

const renderable = new Set(['DynamoGraphDeployment', 'DynamoComponentDeployment', 'DynamoGraphDeploymentRequest']);

/** The context a recording was made in. */
export function contextOf(recording: Recording): RenderContext {
  const flags = Object.fromEntries(recording.flags.map((flag) => /^--([^=]+)=(.*)$/s.exec(flag)?.slice(1, 3) ?? []));
  const documents = [...recording.input, ...(recording.cluster ?? [])].filter(
    (object) => !renderable.has(String(object['kind'])),
  );
  return {
    config: withFlags(chartConfig(), flags),
    cluster: clusterOfDocuments(documents, new Set(recording.apiGroups), recording.namespace),
  };
}

/** The resources of a recording as the API server stored them. */
export function resourcesOf(recording: Recording): readonly Source[] {
  return recording.input
    .filter((object) => renderable.has(String(object['kind'])))
    .map((object) => {
      const { value, issues } = normalizeResource(object);
      if (issues.length > 0) throw new Error(`${recording.id}: ${issues.map((issue) => issue.message).join('; ')}`);
      return value as unknown as Source;
    });
}

/** Our rendering of a recording's input. */
export function renderRecording(recording: Recording): RenderResult {
  const results = resourcesOf(recording).map((resource) => renderResource(resource, contextOf(recording)));
  return {
    objects: results.flatMap((result) => result.objects),
    issues: results.flatMap((result) => result.issues),
    warnings: results.flatMap((result) => result.warnings),
    quirks: results.flatMap((result) => result.quirks),
  };
}

/** Where our objects and the recorded ones differ, one line each; API-server defaults are dropped on both sides. */
export function compareWithRecording(recording: Recording, result: RenderResult): readonly string[] {
  const ours = index(
    result.objects.map(({ object }) => object),
    recording,
  );
  const theirs = index(recording.created, recording);
  const lines: string[] = [];
  for (const [key, want] of theirs) {
    const got = ours.get(key);
    if (got === undefined) lines.push(`missing ${key}`);
    else differences(want, got, key, lines);
  }
  if (recording.partial !== true) for (const key of ours.keys()) if (!theirs.has(key)) lines.push(`unexpected ${key}`);
  return lines;
}

function index(objects: readonly JsonObject[], { namespace }: Recording): ReadonlyMap<string, Json> {
  return new Map(
    objects.map((object) => {
      const metadata = isObject(object['metadata']) ? object['metadata'] : {};
      return [
        `${String(object['kind'])} ${String(metadata['namespace'] ?? namespace)}/${String(metadata['name'])}`,
        plain(prepared(object), []),
      ];
    }),
  );
}

function differences(want: Json | undefined, got: Json | undefined, path: string, lines: string[]): void {
  if (isList(want) && isList(got)) {
    for (let i = 0; i < Math.max(want.length, got.length); i++) differences(want[i], got[i], `${path}[${i}]`, lines);
  } else if (isObject(want) && isObject(got)) {
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)]))
      differences(want[key], got[key], `${path}.${key}`, lines);
  } else if (want !== got) lines.push(`${path}: want ${JSON.stringify(want)}, got ${JSON.stringify(got)}`);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** What cannot be equal offline or is said in another form: uids, the copied secret's data, YAML text, the order of cliques. */
function prepared(object: JsonObject): JsonObject {
  const { kind, metadata, data, spec } = object;
  const { status: _status, ...rest } = object;
  if (kind === 'Secret' && isObject(metadata))
    return { kind, metadata: { name: metadata['name'], namespace: metadata['namespace'] } };
  if (kind === 'ConfigMap' && isObject(data))
    return { ...rest, data: Object.fromEntries(Object.entries(data).map(([file, text]) => [file, parse(String(text)) as Json])) };
  if (kind === 'Service' && isObject(metadata) && String(metadata['name']).startsWith('dynamo-model-'))
    return { ...rest, metadata: { ...metadata, ownerReferences: [] } };
  const template = isObject(spec) ? spec['template'] : undefined;
  if (kind === 'PodCliqueSet' && isObject(spec) && isObject(template))
    return {
      ...rest,
      spec: {
        ...spec,
        template: {
          ...template,
          cliques: byName(template['cliques']),
          podCliqueScalingGroups: byName(template['podCliqueScalingGroups']),
        },
      },
    };
  return rest;
}

function byName(list: Json | undefined): Json | undefined {
  const nameOf = (item: Json): string => (isObject(item) ? String(item['name']) : '');
  return isList(list) ? [...list].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) : list;
}

type Defaulted = (value: Json, parent: JsonObject, path: readonly string[]) => boolean;
const is =
  (...values: readonly Json[]): Defaulted =>
  (value) =>
    values.includes(value);
const below =
  (parent: string, ...values: readonly Json[]): Defaulted =>
  (value, _object, path) =>
    path.at(-1) === parent && values.includes(value);
const inProbe =
  (...values: readonly Json[]): Defaulted =>
  (value, _object, path) =>
    /Probe$/.test(path.at(-1) ?? '') && values.includes(value);

/** Members that the API server or a CRD fills in. */
const defaults: Readonly<Record<string, Defaulted>> = {
  protocol: is('TCP'),
  terminationMessagePath: is('/dev/termination-log'),
  terminationMessagePolicy: is('File'),
  dnsPolicy: is('ClusterFirst'),
  schedulerName: is('default-scheduler'),
  terminationGracePeriodSeconds: is(30),
  scheme: is('HTTP'),
  defaultMode: is(420),
  expirationSeconds: is(3600),
  volumeMode: is('Filesystem'),
  revisionHistoryLimit: is(10),
  progressDeadlineSeconds: is(600),
  sessionAffinity: is('None'),
  internalTrafficPolicy: is('Cluster'),
  completions: is(1),
  parallelism: is(1),
  completionMode: is('NonIndexed'),
  suspend: is(false),
  manualSelector: is(false),
  podReplacementPolicy: is('TerminatingOrFailed'),
  failureMode: is('FailClose'),
  restartPolicy: is('Always', 'RecreateGroupOnPodRestart'),
  rolloutStrategy: () => true,
  useAsCompilationCache: is(false),
  enabled: is(false),
  optional: is(false),
  group: is(''),
  service: is(''),
  name: is(''),
  type: (value, _object, path) => value === '' || value === 'ClusterIP' || (value === 'Opaque' && path.length === 0),
  timeoutSeconds: inProbe(1),
  periodSeconds: inProbe(10),
  successThreshold: inProbe(1),
  failureThreshold: inProbe(3),
  path: below('httpGet', '/'),
  apiVersion: below('fieldRef', 'v1'),
  size: below('sharedMemory', '0'),
  kind: below('endpointPickerRef', 'Service'),
  serviceAccount: (value, object) => value === object['serviceAccountName'],
  targetPort: (value, object) => value === object['port'],
  replicas: (value, _object, path) => value === 1 && path[0] === 'spec',
  minAvailable: is(1),
  uid: below('ownerReferences'),
  imagePullPolicy: (value, object) => {
    const tail =
      String(object['image'] ?? '')
        .split('/')
        .pop() ?? '';
    const latest = object['image'] !== undefined && !tail.includes('@') && (!tail.includes(':') || tail.endsWith(':latest'));
    return value === (latest ? 'Always' : 'IfNotPresent');
  },
};

const maps = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector', 'data', 'limits', 'requests']);
const meaningful = new Set([
  'emptyDir',
  'scalingAdapter',
  'ingress',
  'tls',
  'securityContext',
  'capabilities',
  'secretRef',
  'configMapRef',
]);

/** A value without what says nothing: defaults, nulls and most empty members. */
function plain(value: Json, path: readonly string[]): Json {
  if (isList(value)) return value.map((item) => plain(item, path));
  if (!isObject(value)) return value;
  const out: Record<string, Json> = {};
  const within = path.at(-1) ?? '';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined || member === null || (key === 'uid' && within === 'ownerReferences')) continue;
    if (key === 'DGDR_UID' || (key === 'value' && value['name'] === 'DGDR_UID')) continue;
    if (isVolatile(key, within, value, path) || (!maps.has(within) && defaults[key]?.(member, value, path))) continue;
    const written = plain(member, [...path, key]);
    if (typeof written === 'object' && Object.keys(written as object).length === 0 && !meaningful.has(key)) continue;
    out[key] = written;
  }
  return out;
}

/** A Job's hash covers the uid of its request. */
function isVolatile(key: string, within: string, annotations: JsonObject, path: readonly string[]): boolean {
  return (
    within === 'annotations' && path[0] === 'metadata' && key === 'nvidia.com/last-applied-hash' && annotations['job'] === 'true'
  );
}
