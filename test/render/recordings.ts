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
  type RenderableResource,
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
  /** Objects the operator sent, with the API server's defaults filled in. */
  readonly created: readonly JsonObject[];
  readonly refused?: readonly { readonly kind: string; readonly name: string; readonly message: string }[];
  readonly error?: string;
  /** The original stopped half-way. */
  readonly partial?: boolean;
}

/** Every recording in a folder, by file name. */
export function readRecordings(folder: string): readonly (readonly [string, Recording])[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files
    .sort()
    .map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recording]);
}

/** Our own recordings. */
export const ownRecordings = join(import.meta.dirname, 'cases');

const renderable: ReadonlySet<Json | undefined> = new Set([
  'DynamoGraphDeployment',
  'DynamoComponentDeployment',
  'DynamoGraphDeploymentRequest',
]);

/** The context a recording was made in. */
export function contextOf(recording: Recording): RenderContext {
  const flags = Object.fromEntries(
    recording.flags.map((flag) => {
      const [name = '', value = ''] = flag.replace(/^--/, '').split(/=(.*)/s, 2);
      return [name, value] as const;
    }),
  );
  const documents = [...recording.input, ...(recording.cluster ?? [])].filter(({ kind }) => !renderable.has(kind));
  return {
    config: withFlags(chartConfig(), flags),
    cluster: clusterOfDocuments(documents, new Set(recording.apiGroups), recording.namespace),
  };
}

/** The resources of a recording as the API server stored them, with the uids it gave them. */
export function resourcesOf(recording: Recording): readonly RenderableResource[] {
  return recording.input
    .filter(({ kind }) => renderable.has(kind))
    .map((object) => {
      const { value, issues } = normalizeResource(object);
      if (issues.length > 0) throw new Error(`${recording.id}: ${issues.map((issue) => issue.message).join('; ')}`);
      const resource = value as unknown as RenderableResource;
      const uid = uidOf(recording, resource);
      return uid === undefined ? resource : { ...resource, metadata: { ...resource.metadata, uid } };
    });
}

function uidOf({ created }: Recording, { kind, metadata }: RenderableResource): string | undefined {
  const owners = created.flatMap((object) => listOf(objectOf(object['metadata'])['ownerReferences'])).map(objectOf);
  const owner = owners.find((candidate) => candidate['kind'] === kind && candidate['name'] === metadata.name);
  return typeof owner?.['uid'] === 'string' ? owner['uid'] : undefined;
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

/** Where our objects and the recorded ones differ, one line each; what the API server fills in is dropped on both sides. */
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
      const metadata = objectOf(object['metadata']);
      const place = JSON.stringify([object['kind'], metadata['namespace'] ?? namespace, metadata['name']]);
      return [place, essence(prepared(object), '', object)];
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

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** What cannot be equal offline or is said in another form: status, the copied secret's data, YAML text, the order of cliques. */
function prepared({ status: _status, ...object }: JsonObject): JsonObject {
  const { kind, spec } = object;
  const metadata = objectOf(object['metadata']);
  if (kind === 'Secret') return { kind, metadata: { name: metadata['name'], namespace: metadata['namespace'] } };
  if (kind === 'ConfigMap') {
    const data = Object.entries(objectOf(object['data'])).map(([file, text]) => [file, parse(text as string) as Json]);
    return { ...object, data: Object.fromEntries(data) };
  }
  // Services of a model belong to whichever component came first.
  if (kind === 'Service' && JSON.stringify(metadata['name']).startsWith('"dynamo-model-'))
    return { ...object, metadata: { ...metadata, ownerReferences: [] } };
  if (kind !== 'PodCliqueSet') return object;
  const template = objectOf(objectOf(spec)['template']);
  const { cliques, podCliqueScalingGroups } = template;
  const sorted = { ...template, cliques: byName(cliques), podCliqueScalingGroups: byName(podCliqueScalingGroups) };
  return { ...object, spec: { ...objectOf(spec), template: sorted } };
}

function byName(list: Json | undefined): Json {
  const nameOf = (item: Json): string => JSON.stringify(objectOf(item)['name']);
  return listOf(list).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

type Defaulted = (value: Json, object: JsonObject, parent: string, root: JsonObject) => boolean;
const is =
  (...values: readonly Json[]): Defaulted =>
  (value) =>
    values.includes(value);
const below =
  (name: string, ...values: readonly Json[]): Defaulted =>
  (value, _object, parent) =>
    parent === name && values.includes(value);
const inProbe =
  (...values: readonly Json[]): Defaulted =>
  (value, _object, parent) =>
    parent.endsWith('Probe') && values.includes(value);
const ofKinds =
  (kinds: readonly Json[], value: Json): Defaulted =>
  (given, _object, _parent, root) =>
    kinds.includes(root['kind'] ?? '') && given === value;

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
  type: (value, _object, parent, root) =>
    value === '' || (parent === 'spec' && root['kind'] === 'Service' && value === 'ClusterIP'),
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
  replicas: ofKinds(['Deployment', 'PodCliqueSet'], 1),
  uid: (_value, _object, parent) => parent === 'ownerReferences',
  imagePullPolicy: (value, { image }) => {
    const tail = typeof image === 'string' ? image.slice(image.lastIndexOf('/') + 1) : undefined;
    const latest = tail !== undefined && !tail.includes('@') && (!tail.includes(':') || tail.endsWith(':latest'));
    return value === (latest ? 'Always' : 'IfNotPresent');
  },
};

const maps: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector', 'data', 'limits', 'requests']);
/** Objects that say something by being there, though empty. */
const telling: ReadonlySet<string> = new Set([
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
function essence(value: Json, parent: string, root: JsonObject): Json {
  if (isList(value)) return value.map((item) => essence(item, parent, root));
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined || member === null) continue;
    if (!maps.has(parent) && defaults[key]?.(member, value, parent, root)) continue;
    const inner = essence(member, key, root);
    const empty = typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0;
    if (!empty || telling.has(key)) kept[key] = inner;
  }
  return kept;
}
