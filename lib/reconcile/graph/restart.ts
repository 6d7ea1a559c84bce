import type { Restart } from '../../api/index.ts';
import { restartOrder, type RestartStatus } from '../../render/index.ts';

/** Input for one step of a rolling restart. */
export interface RestartInput {
  /** The requested restart (`spec.restart`), if any. */
  readonly restart: Restart | undefined;
  /** The services of the graph in byte order. */
  readonly services: readonly string[];
  /** Progress of the restart in the stored status. */
  readonly before: RestartStatus | undefined;
  /** Whether a service is rolled out, judged before this pass writes anything. */
  readonly isDone: (service: string) => boolean;
  /** The restart token currently set on the live component or clique of a service. */
  readonly tokenOf: (service: string) => string | undefined;
}

/** Progress of a restart. */
export interface RestartProgress {
  readonly status: RestartStatus | undefined;
  /** Whether the next pass must be scheduled: the services in progress have the token already, so no watch event will trigger one. */
  readonly silent: boolean;
}

/** One step of a rolling restart. A new request always shows as `Restarting` first, also when all services are ready. */
export function advanceRestart(input: RestartInput): RestartProgress {
  const { restart, services, before } = input;
  const ended = before?.phase === 'Completed' || before?.phase === 'Failed';
  if (!restart?.id) return { status: ended ? before : undefined, silent: false };
  if (before?.observedID === restart.id && ended) return { status: before, silent: false };
  const isNew = !before?.observedID || before.observedID !== restart.id;
  const known = new Set(services);
  const listed = isNew ? [] : (before.inProgress ?? []);
  const inProgress =
    restart.strategy?.type === 'Parallel'
      ? inParallel(input, isNew, listed.length === 0 ? services : listed.filter((service) => known.has(service)))
      : inSequence(input, restart.id, isNew, listed[0]);
  if (inProgress.length === 0) return { status: { observedID: restart.id, phase: 'Completed' }, silent: false };
  const silent = inProgress.every((service) => input.tokenOf(service) === restart.id);
  return { status: { observedID: restart.id, phase: 'Restarting', inProgress }, silent: silent && isNew };
}

function inParallel({ isDone, services }: RestartInput, isNew: boolean, listed: readonly string[]): readonly string[] {
  return isNew ? services : listed.filter((service) => !isDone(service));
}

/** The one service in progress; none when all are done. */
function inSequence(
  { restart, services, isDone, tokenOf }: RestartInput,
  id: string,
  isNew: boolean,
  current: string | undefined,
): readonly string[] {
  const order = restartOrder(restart, services);
  if (isNew || current === undefined) return order.slice(0, 1);
  const isGone = !services.includes(current);
  if (!isGone && !isDone(current)) return [current];
  const place = order.indexOf(current);
  const rest = isGone ? order : place < 0 ? [] : order.slice(place + 1);
  // A service that carries the token and is rolled out causes no further watch event: waiting for it would never end.
  const next = rest.find((service) => tokenOf(service) !== id || !isDone(service));
  return next === undefined ? [] : [next];
}
