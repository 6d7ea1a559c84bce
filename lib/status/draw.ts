import type { LiveComponentView, EventView, LiveGraphView, PodView } from './live-graph-view.ts';
import { drawLine, drawTree, type Branch, type Piece, type Tone } from './tree.ts';

/** Options that depend on the terminal and the time. */
interface DrawOptions {
  readonly colour: boolean;
  /** The current time in milliseconds since 1970, for the age of events. */
  readonly now: number;
}

/** Draws a graph as a tree of lines: its state, each component with its pods, and recent events. */
export function drawGraph(view: LiveGraphView, { colour, now }: DrawOptions): string {
  const gpus = view.components.flatMap(({ pods }) => pods).reduce((sum, pod) => sum + pod.gpus, 0);
  const tone: Tone = view.isReady ? 'good' : view.state === 'failed' ? 'bad' : 'busy';
  const root: Branch = {
    line: [`DynamoGraphDeployment/${view.name} in ${view.namespace}  `, { tone, text: view.state }, `, ${count(gpus, 'GPU')}`],
    children: view.components.map(componentBranch),
  };
  const lines: readonly (readonly Piece[])[] = [
    ...(view.isReady ? [] : [[`message: ${view.message}`]]),
    ...(view.restart ? [[`restart ${view.restart.id}: ${restartLine(view.restart)}`]] : []),
    ...(view.events.length > 0 ? [['events:'], ...view.events.map((event) => [eventLine(event, now)])] : []),
  ];
  return [drawTree(root, colour), ...lines.map((line) => drawLine(line, colour)), ''].join('\n');
}

/** Joins the parts of a line with commas. */
function listed(parts: readonly (readonly Piece[])[]): readonly Piece[] {
  return parts.flatMap((part, index) => (index === 0 ? part : [', ', ...part]));
}

function componentBranch(component: LiveComponentView): Branch {
  const { name, type, kind, objectName, desired, ready, pods, conditions, restart } = component;
  const gpus = pods.reduce((sum, pod) => sum + pod.gpus, 0);
  const title = `${name}${type === '' || type === name.toLowerCase() ? '' : ` (${type})`}  `;
  const replicas: Piece = {
    tone: component.isReady ? 'good' : 'busy',
    text: `${ready} of ${count(desired, 'replica')} ready`,
  };
  const line = listed([
    [title, replicas],
    ...(gpus > 0 ? [[count(gpus, 'GPU')]] : []),
    [kind === '' ? 'not created yet' : `${kind}/${objectName}`],
    ...(restart ? [[`restart ${restart}`]] : []),
  ]);
  const unmet = conditions
    .filter(({ status }) => status !== 'True')
    .map(({ type: condition, reason, message }): Branch => ({
      line: [{ tone: 'busy', text: `${condition}: ${reason}: ${message}` }],
      children: [],
    }));
  return { line, children: [...unmet, ...pods.map(podBranch)] };
}

function podBranch({ name, node, phase, ready, restarts, gpus, stuck }: PodView): Branch {
  const tone: Tone = ready ? 'good' : stuck ? 'bad' : 'busy';
  const line = listed([
    [`Pod/${name}  `, { tone, text: phase === 'Running' && !ready ? 'Running, not ready' : phase }],
    ...(node === '' ? [] : [[`on ${node}`]]),
    ...(gpus > 0 ? [[count(gpus, 'GPU')]] : []),
    ...(restarts > 0 ? [[count(restarts, 'restart')]] : []),
  ]);
  const why: readonly Branch[] = stuck
    ? [{ line: [{ tone: 'bad', text: `${stuck.reason}: ${stuck.message}` }], children: [] }]
    : [];
  return { line, children: why };
}

function restartLine({ phase, inProgress }: NonNullable<LiveGraphView['restart']>): string {
  return inProgress.length > 0 ? `${phase} ${inProgress.join(', ')}` : phase;
}

function eventLine({ time, type, reason, object, message, count: times }: EventView, now: number): Piece {
  const repeated = times > 1 ? ` (${times} times)` : '';
  const text = `${age(now - Date.parse(time)).padStart(6)}  ${reason}  ${object}: ${message}${repeated}`;
  return { tone: type === 'Warning' ? 'busy' : 'dim', text };
}

/** An age in one unit, such as `5m`. */
function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
