/** Carries out the writes of a decision: steps one after the other, the writes of one step at once. */
import type { KubernetesObject } from '../../api/index.ts';
import { isObject, objectsAt, type JsonObject } from '../../json/index.ts';
import { lookupKey, type ObjectKey, type ObjectKind, type RefusedWrite, type Write } from '../../reconcile/index.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiError, ConnectionError, isAbsent, isAlreadyExists, isConflict } from '../api/errors.ts';

/** Stores the API server's answers, so that the next pass sees the writes of this one. */
interface AnswerStore {
  /** Takes an object as the API server answered it. */
  readonly put: (object: KubernetesObject) => void;
  /** Whether the cache has an object; it may have appeared since the decision was made. */
  readonly has: (key: ObjectKey) => boolean;
  /** Records that the object with that uid no longer exists. */
  readonly remove: (key: ObjectKey, uid: string) => void;
  /**
   * Reads an object from the API server when the cache is known to be outdated, and stores it even if no watch covers it; null if it does not
   * exist, which is recorded.
   */
  readonly reread: (key: ObjectKey) => Promise<KubernetesObject | null>;
}

/** Dependencies for carrying out writes. */
export interface WriteContext {
  readonly client: ApiClient;
  readonly answers: AnswerStore;
  /** Running creations of all passes, so that resources that share an object do not all create it. */
  readonly creations: Map<string, Promise<unknown>>;
  /** Called after each write that changed something. */
  readonly wrote: (write: Write) => void;
  /** Called before a step that only writes a status, which may wait for the writes of other passes. */
  readonly rest: () => void;
  /**
   * Whether passes have failed for a while. An error inside the API server, such as a webhook that cannot be called, is then told like a refused
   * write.
   * @default false - it may be a matter of a moment
   */
  readonly failsLastingly?: boolean;
  /**
   * Whether the API server serves a kind. For one that it does not serve, its 404 is a page, like that of a proxy.
   * @default - all kinds
   */
  readonly serves?: (kind: ObjectKind) => boolean;
}

/** Result of carrying out a decision: all writes are done, the decision was based on outdated objects, or one write was refused. */
type WriteOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'refused'; readonly refused: RefusedWrite; readonly cause: ApiError };

/** Versions of objects this pass has written already; a status is stored on top of them. */
export type WrittenVersions = Map<string, string>;

/** Writes of a step that are sent at once, at most: the time of a request also counts while it waits for a connection. */
const mostAtOnce = 100;

/** Carries steps out until a write fails; those sent at once with it all end before this returns. */
export async function carryOut(
  steps: readonly (readonly Write[])[],
  versions: WrittenVersions,
  context: WriteContext,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  let first = 0;
  for (const step of steps) {
    if (step.every(({ verb }) => verb === 'status')) context.rest();
    for (let start = 0; start < step.length; start += mostAtOnce) {
      signal.throwIfAborted();
      const part = step.slice(start, start + mostAtOnce);
      const outcomes = await Promise.allSettled(part.map((write) => carryOutOne(write, versions, context, signal)));
      const failed = outcomes.findIndex(({ status }) => status === 'rejected');
      const failure = outcomes[failed];
      const write = part[failed];
      if (failure?.status === 'rejected' && write !== undefined) return refusal(failure.reason, write, first + failed, context);
      if (outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value === 'stale')) return { outcome: 'stale' };
      first += part.length;
    }
  }
  return { outcome: 'done' };
}

// A refusal is the API server's own answer about this write. An unreachable or overloaded server, or the page of a proxy, is an error of the pass.
function refusal(error: unknown, write: Write, index: number, context: WriteContext): WriteOutcome {
  if (!isRefusal(error, write, context)) throw error;
  const { message, reason, status } = error;
  const verb = write.verb === 'copySecret' ? 'create' : write.verb;
  return { outcome: 'refused', refused: { write: index, verb, target: write.target, message, reason, status }, cause: error };
}

function isRefusal(error: unknown, { target }: Write, { failsLastingly = false, serves }: WriteContext): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  // A body too large for a proxy stays too large: a retry does not help.
  if (error.status === 413) return true;
  if (error.status === 404 && serves?.(target) === false) return true;
  if (!error.isStatus || error.status === 429 || error.status === 401) return false;
  return error.status < 500 || (isInternal(error) && failsLastingly);
}

// Errors that the API server cannot name, such as those of etcd, have no reason.
function isInternal({ reason, status }: ApiError): boolean {
  return reason === 'InternalError' || (reason === '' && status === 500);
}

async function carryOutOne(
  write: Write,
  versions: WrittenVersions,
  context: WriteContext,
  signal: AbortSignal,
): Promise<'done' | 'stale'> {
  const { answers, creations, wrote } = context;
  try {
    if (isCreation(write)) {
      // No `await` may stand between this look and the request, or two passes would both find no running creation.
      const underWay = creations.get(versionKey(write.target));
      if (underWay !== undefined) return await whenEnded(underWay);
      if (answers.has(write.target)) return 'stale';
    }
    const answer = await sendOnce(write, versions, context, signal);
    if (answer !== undefined) keep(answer, write, versions, answers);
    else if (write.verb === 'delete') answers.remove(write.target, write.uid);
    wrote(write);
    return 'done';
  } catch (error) {
    if (isCreation(write) && isUnanswered(error)) return whatCameOf(write, error, versions, context);
    if (isCreation(write) && isRefusal(error, write, context) && !isOvertaken(error, write))
      return ifThere(write, error, context);
    if (!isOvertaken(error, write)) throw error;
    // Somebody else wrote first, or the cache is behind: read the object and decide again.
    const live = await answers.reread(write.target);
    if (live !== null) answers.put(live);
    return write.verb === 'delete' && live === null ? 'done' : 'stale';
  }
}

/** A creation whose answer was lost: it succeeded if the object exists now. */
async function whatCameOf(
  write: Write,
  error: unknown,
  versions: WrittenVersions,
  { answers, wrote }: WriteContext,
): Promise<'done'> {
  const live = await answers.reread(write.target).catch(() => null);
  if (live === null || !hasOwnersOf(live, write)) throw error;
  keep(live, write, versions, answers);
  wrote(write);
  return 'done';
}

/**
 * A refused creation. The API server checks quotas and policies before the name, so it may refuse to create an object that already exists and that no
 * watch shows.
 */
async function ifThere(write: Write, error: ApiError, { answers }: WriteContext): Promise<'stale'> {
  const live = await answers.reread(write.target).catch(() => null);
  if (live === null) throw error;
  answers.put(live);
  return 'stale';
}

function hasOwnersOf({ metadata }: KubernetesObject, write: Write): boolean {
  const owners = write.verb === 'create' ? objectsAt(write.object, 'metadata', 'ownerReferences') : [];
  return owners.every(({ uid }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true);
}

/** Waits for the creation of another pass, which handles the result. This pass decides again. */
async function whenEnded(creation: Promise<unknown>): Promise<'stale'> {
  await creation.catch(() => undefined);
  return 'stale';
}

function isCreation(write: Write): boolean {
  return write.verb === 'create' || (write.verb === 'copySecret' && write.resourceVersion === undefined);
}

async function sendOnce(
  write: Write,
  versions: WrittenVersions,
  { client, creations }: WriteContext,
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  const sending = send(write, versions, client, signal);
  if (!isCreation(write)) return sending;
  const key = versionKey(write.target);
  creations.set(key, sending);
  try {
    return await sending;
  } finally {
    creations.delete(key);
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectionError && (error.code === 'cut_off' || error.code === 'timeout');
}

function isOvertaken(error: unknown, { verb }: Write): boolean {
  if (!(error instanceof ApiError && error.isStatus)) return false;
  if (isConflict(error) || isAlreadyExists(error)) return true;
  return isAbsent(error) && verb !== 'create' && verb !== 'copySecret';
}

function keep(answer: KubernetesObject, write: Write, versions: WrittenVersions, answers: AnswerStore): void {
  const version = answer.metadata.resourceVersion;
  if (version !== undefined) versions.set(versionKey(write.target), version);
  answers.put(answer);
}

function versionKey(target: ObjectKey): string {
  return lookupKey({ question: 'get', ...target });
}

async function send(
  write: Write,
  versions: WrittenVersions,
  client: ApiClient,
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  switch (write.verb) {
    case 'create':
      return client.create(asObject(write.object), signal);
    case 'patch':
      return client.patch(write.target, write.patch, undefined, signal);
    case 'delete':
      // By default the API server lets the pods of a Job run on: kubernetes/kubernetes, pkg/registry/batch/job/strategy.go.
      return client.delete(write.target, { uid: write.uid, propagationPolicy: 'Background' }, signal);
    case 'copySecret':
      return copySecret(write, client, signal);
    case 'scale':
      await client.updateScale(write.target, { replicas: write.replicas, resourceVersion: write.resourceVersion }, signal);
      // The answer is a Scale: read the object itself, so that the next pass does not scale it again.
      return client.find(write.target, signal);
    case 'status':
      return client.updateStatus(onVersion(asObject(write.object), versions.get(versionKey(write.target))), signal);
  }
}

// The data of the Secret goes from one answer into one request and is stored nowhere.
async function copySecret(
  { source, target, resourceVersion }: Extract<Write, { verb: 'copySecret' }>,
  client: ApiClient,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const { type, data } = await client.get(source, signal);
  const content = isObject(data) ? data : {};
  if (resourceVersion === undefined) {
    const { apiVersion, kind, namespace, name } = target;
    return client.create({ apiVersion, kind, metadata: { namespace, name }, ...(type ? { type } : {}), data: content }, signal);
  }
  const patch = [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/data', value: content },
  ] as const;
  return client.patch(target, patch, undefined, signal);
}

function asObject(object: JsonObject): KubernetesObject {
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isObject(metadata) || typeof metadata['name'] !== 'string')
    throw new TypeError('a decision holds an object without apiVersion, kind or name');
  // Checked as far as the client relies on it.
  return { ...object, apiVersion, kind, metadata: metadata as KubernetesObject['metadata'] };
}

function onVersion(object: KubernetesObject, resourceVersion: string | undefined): KubernetesObject {
  return resourceVersion === undefined ? object : { ...object, metadata: { ...object.metadata, resourceVersion } };
}
