import { formatPath, parseResource, type DynamoGraphDeploymentRequest, type KubernetesObject } from '../../api/index.ts';
import { isEqual, type JsonObject, stringAt } from '../../json/index.ts';
import { annotation, type Cluster, profilingJobName, profilingOutputName, renderRequest } from '../../render/index.ts';
import type { Decision, Event, Write } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { annotationsOf, controllerOf, generationOf, guardedPatch, isDeleting, keyOf, metadataPatch, uidOf } from '../metadata.ts';
import type { Reader } from '../reader.ts';
import type { RefusedWrite, Snapshot } from '../snapshot.ts';
import { acceptedSpecText } from './accepted-spec.ts';
import { isDefinitive, refusedWriteOf } from './refusal.ts';
import { requestAnnotation } from './request-keys.ts';
import { fail, moveTo, tryAgain } from './request-status.ts';

/** Seconds until the next look at a Job of an earlier request of this name that is being deleted. */
const waitSeconds = 5;

/** Starts the profiler of a `Pending` request: creates account and Job, and deletes what an earlier request of this name left. */
export function startProfiling(snapshot: Snapshot, reader: Reader): Decision {
  const { resource } = snapshot;
  const { namespace, name } = keyOf(resource);
  const rendered = renderJob(snapshot, reader);
  if (typeof rendered === 'string') return cannotStart(snapshot, rendered);
  const live = reader.get(kinds.job, namespace, profilingJobName(name));
  const obstacle = live && obstacleOf(snapshot, live, rendered.job);
  if (obstacle !== undefined) return obstacle;
  const { refused } = snapshot;
  if (refused !== undefined) {
    const message = wordsOf(refused);
    if (isDefinitive(refused))
      return cannotStart(snapshot, message, refusedWriteOf(snapshot, 'create', 'Job') && namedJob(rendered.job));
    const told = { type: 'Profiling', status: 'False', reason: 'JobCreationFailed', message } as const;
    return tryAgain(snapshot, 'Pending', told, 'ProfilingJobFailed');
  }
  const stale = live === undefined ? reader.get(kinds.configMap, namespace, profilingOutputName(name)) : undefined;
  const steps: readonly (readonly Write[])[] = [
    metadataPatch(resource, { annotations: { [requestAnnotation.acceptedSpec]: acceptedSpecText(resource) } }),
    stale === undefined ? [] : [{ verb: 'delete', target: keyOf(stale), uid: uidOf(stale) }],
    ...accountSteps(rendered.account, reader),
    live === undefined ? [{ verb: 'create', target: keyOf(rendered.job), object: rendered.job }] : [],
  ];
  const text = stringAt(rendered.job, 'metadata', 'labels', 'app') === 'aic-profiler' ? 'AIC profiling job' : 'Profiling job';
  const created =
    live === undefined ? [`Creating a new Job ${namedJob(rendered.job)}`, `Created Job ${namedJob(rendered.job)}`] : [];
  return moveTo(snapshot, {
    state: 'Profiling',
    before: steps,
    fields: { observedGeneration: generationOf(resource) },
    conditions: [{ type: 'Profiling', status: 'False', reason: 'ProfilingRunning', message: 'Profiling is in progress' }],
    events: [
      ...created.map((message): Event => ({ type: 'Normal', reason: 'CreateJob', message })),
      { type: 'Normal', reason: 'ProfilingJobCreated', message: `${text} created` },
    ],
  });
}

/** The error message about a refused write. */
function wordsOf({ verb, target, message }: RefusedWrite): string {
  if (verb === 'delete' && target.kind === kinds.configMap.kind) return `failed to delete existing output ConfigMap: ${message}`;
  const isAccount = target.kind === kinds.serviceAccount.kind || target.kind === kinds.roleBinding.kind;
  return isAccount ? `failed to ensure profiling job RBAC: ${message}` : message;
}

function warning(reason: string, message: string): Event {
  return { type: 'Warning', reason, message };
}

function namedJob(object: JsonObject): string {
  const { namespace, name } = keyOf(object);
  return `${namespace}/${name}`;
}

function cannotStart(snapshot: Snapshot, message: string, refusedJob?: string): Decision {
  const decision = fail(snapshot, 'Profiling', 'JobCreationFailed', message, 'ProfilingJobFailed');
  if (refusedJob === undefined) return decision;
  return { ...decision, events: [warning('CreateJob', `Failed to create Job ${refusedJob}: ${message}`), ...decision.events] };
}

/** The rendered account and Job, or why they cannot be rendered. References were checked when the request was validated, and are not checked again. */
function renderJob(
  { resource, config, apiGroups }: Snapshot,
  reader: Reader,
): { readonly account: readonly KubernetesObject[]; readonly job: KubernetesObject } | string {
  const parsed = parseResource(resource, { status: 'keep' });
  if (parsed.resource === undefined)
    return parsed.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`).join('\n');
  if (parsed.resource.kind !== 'DynamoGraphDeploymentRequest') return `not a request: ${parsed.resource.kind}`;
  const request: DynamoGraphDeploymentRequest = parsed.resource;
  const cluster: Cluster = {
    hasApiGroup: (group) => apiGroups.includes(group),
    claim: () => 'unknown',
    queue: () => 'unknown',
    clusterRole: (name) => (reader.get(kinds.clusterRole, '', name) === undefined ? 'absent' : 'present'),
    find: () => undefined,
    pullSecrets: () => [],
    podServiceAccount: () => undefined,
    configMapKeys: () => undefined,
  };
  const { objects, issues } = renderRequest(request, { config, cluster });
  const rendered = objects.map(({ object }) => object);
  const found = rendered.find(({ kind }) => kind === 'Job');
  if (found === undefined) return issues.map(({ chain }) => chain).join('\n');
  return { account: rendered.filter(({ kind }) => kind !== 'Job'), job: found };
}

/** What to do if a Job of that name exists and blocks the creation; undefined if that Job is this request's own and up to date. */
function obstacleOf(snapshot: Snapshot, live: JsonObject, wanted: JsonObject): Decision | undefined {
  const { resource } = snapshot;
  const owner = controllerOf(live);
  const [kind, name] = [stringAt(owner, 'kind'), stringAt(owner, 'name')];
  const waits = { steps: [], events: [], lookAgainSeconds: waitSeconds };
  if (stringAt(owner, 'uid') === uidOf(resource)) {
    if (isDeleting(live)) return waits;
    if (stringAt(annotationsOf(live), annotation.hash) === stringAt(annotationsOf(wanted), annotation.hash)) return undefined;
    // Created from a spec that was edited before the status was stored. The template of a Job is immutable, so the Job is replaced.
    return { ...waits, steps: [[{ verb: 'delete', target: keyOf(live), uid: uidOf(live) }]] };
  }
  if (isDeleting(live) || (kind === keyOf(resource).kind && name === keyOf(resource).name)) return waits;
  const belongs = owner === undefined ? 'was not made by this operator' : `belongs to ${kind} "${name}"`;
  return cannotStart(
    snapshot,
    `Job "${namedJob(live)}" already exists and ${belongs}: delete it or give the request another name`,
  );
}

/** Writes that create the profiler's account and binding where they are missing. */
function accountSteps(wanted: readonly KubernetesObject[], reader: Reader): readonly (readonly Write[])[] {
  return wanted.flatMap((object): (readonly Write[])[] => {
    const target = keyOf(object);
    const create: Write = { verb: 'create', target, object };
    const live = reader.get(target, target.namespace, target.name);
    if (live === undefined) return [[create]];
    if (object.kind !== 'RoleBinding') return [];
    // `roleRef` is immutable: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#clusterrolebinding-example
    if (!isEqual(live['roleRef'], object['roleRef'])) return [[{ verb: 'delete', target, uid: uidOf(live) }], [create]];
    if (isEqual(live['subjects'], object['subjects'])) return [];
    return [[guardedPatch(live, [{ op: 'add', path: '/subjects', value: object['subjects'] ?? [] }])]];
  });
}
