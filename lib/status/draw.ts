import type { ComponentView, EventView, GraphView, PodView } from './graph-view.ts';

/** Words and marks of a drawing that depend on where it is shown. */
interface DrawOptions {
  readonly colour: boolean;
  /** The moment, in milliseconds since 1970, for the age of events. */
  readonly now: number;
}

type Tone = 'good' | 'bad' | 'busy' | 'dim';
const codes: Readonly<Record<Tone, number>> = { good: 32, bad: 31, busy: 33, dim: 2 };

interface Branch {
  readonly text: string;
  readonly children: readonly Branch[];
}

/** A graph as a tree of text: its state, each component with its pods, and what was told of them lately. */
export function drawGraph(view: GraphView, options: DrawOptions): string {
  const paint = (tone: Tone, text: string): string => (options.colour ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text);
  const gpus = view.components.flatMap(({ pods }) => pods).reduce((sum, pod) => sum + pod.gpus, 0);
  const state = paint(view.isReady ? 'good' : view.state === 'failed' ? 'bad' : 'busy', view.state);
  const root: Branch = {
    text: `DynamoGraphDeployment/${view.name} in ${view.namespace}  ${state}, ${count(gpus, 'GPU')}`,
    children: view.components.map((component) => componentBranch(component, paint)),
  };
  return [
    draw(root),
    ...(view.isReady ? [] : [`message: ${view.message}`]),
    ...(view.restart ? [`restart ${view.restart.id}: ${restartLine(view.restart)}`] : []),
    ...(view.events.length > 0 ? ['events:', ...view.events.map((event) => eventLine(event, options.now, paint))] : []),
    '',
  ].join('\n');
}

type Paint = (tone: Tone, text: string) => string;

function componentBranch(component: ComponentView, paint: Paint): Branch {
  const { name, type, kind, objectName, desired, ready, pods, conditions, restart } = component;
  const gpus = pods.reduce((sum, pod) => sum + pod.gpus, 0);
  const replicas = paint(component.isReady ? 'good' : 'busy', `${ready} of ${count(desired, 'replica')} ready`);
  const parts = [
    `${name}${type === '' || type === name.toLowerCase() ? '' : ` (${type})`}  ${replicas}`,
    ...(gpus > 0 ? [count(gpus, 'GPU')] : []),
    ...(kind === '' ? ['nothing made yet'] : [`${kind}/${objectName}`]),
    ...(restart ? [`restart ${restart}`] : []),
  ];
  const wrong = conditions
    .filter(({ status }) => status !== 'True')
    .map(({ type: condition, reason, message }) => ({
      text: paint('busy', `${condition}: ${reason}: ${message}`),
      children: [],
    }));
  return { text: parts.join(', '), children: [...wrong, ...pods.map((pod) => podBranch(pod, paint))] };
}

function podBranch({ name, node, phase, ready, restarts, gpus, stuck }: PodView, paint: Paint): Branch {
  const tone: Tone = ready ? 'good' : stuck ? 'bad' : 'busy';
  const parts = [
    paint(tone, phase === 'Running' && !ready ? 'Running, not ready' : phase),
    ...(node === '' ? [] : [`on ${node}`]),
    ...(gpus > 0 ? [count(gpus, 'GPU')] : []),
    ...(restarts > 0 ? [count(restarts, 'restart')] : []),
  ];
  const why = stuck ? [{ text: paint('bad', `${stuck.reason}: ${stuck.message}`), children: [] }] : [];
  return { text: `Pod/${name}  ${parts.join(', ')}`, children: why };
}

function restartLine({ phase, inProgress }: NonNullable<GraphView['restart']>): string {
  return inProgress.length > 0 ? `${phase} ${inProgress.join(', ')}` : phase;
}

function eventLine({ time, type, reason, object, message, count: times }: EventView, now: number, paint: Paint): string {
  const repeated = times > 1 ? ` (${times} times)` : '';
  const line = `${age(now - Date.parse(time)).padStart(6)}  ${reason}  ${object}: ${message}${repeated}`;
  return type === 'Warning' ? paint('busy', line) : paint('dim', line);
}

/** An age as kubectl writes it, to one unit. */
function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function draw({ text, children }: Branch, indent = ''): string {
  const lines = children.map((child, index) => {
    const last = index === children.length - 1;
    return `\n${indent}${last ? '└─ ' : '├─ '}${draw(child, `${indent}${last ? '   ' : '│  '}`)}`;
  });
  return text + lines.join('');
}
