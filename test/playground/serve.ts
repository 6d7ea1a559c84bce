/** `npm run playground`: starts a playground, prints its kubeconfig and what to try, and keeps it until Ctrl-C. */
import { findTool } from '../../tools/find.ts';
import { startPlayground } from './playground.ts';

const patch = (text: string): string => `kubectl patch dgd qwen3 -n models --type merge -p '${text}'`;

/** What to try, and what it shows. */
const commands: readonly (readonly [what: string, command: string])[] = [
  ['watch components, pods and events until all is ready', 'node --import tsx lib/cli/bin.ts status -n models --watch'],
  ['scale', patch('{"spec":{"services":{"decode":{"replicas":4}}}}')],
  ['restart, one service after the other', patch('{"spec":{"restart":{"id":"first"}}}')],
  ['kill a node: its pods move to the others within a minute', 'kubectl delete node gpu-0'],
  [
    'break an image: see it with `status`, then patch it back',
    patch('{"spec":{"services":{"prefill":{"extraPodSpec":{"mainContainer":{"image":"registry.example.com/broken:1"}}}}}}'),
  ],
];

const stops: (() => Promise<void>)[] = [];
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Ends everything that was started, the last first. What is just being started ends with this process. */
async function stopAll(): Promise<void> {
  for (const stop of stops.toReversed()) await stop();
}

async function serve(): Promise<void> {
  const { kubeconfig, logs, failed } = await startPlayground({ say, onStop: (stop) => void stops.push(stop) });
  process.stdout.write(`${kubeconfig}\n`);
  const kubectl = await findTool('kubectl');
  say(`ready; in another terminal, in this folder:

  export KUBECONFIG=${kubeconfig} PATH=${kubectl.slice(0, kubectl.lastIndexOf('/'))}:$PATH

${commands.map(([what, command]) => `# ${what}\n  ${command}`).join('\n')}

logs: ${logs.join(' ')}
Ctrl-C ends all of it and removes what it stored`);
  await new Promise((_, reject) => failed.addEventListener('abort', () => reject(failed.reason as Error)));
}

let isEnding = false;
const end = async (code: number): Promise<void> => {
  if (isEnding) return;
  isEnding = true;
  await stopAll();
  say('stopped');
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
serve().catch((error: unknown) => {
  if (isEnding) return;
  say(error instanceof Error ? error.message : String(error));
  void end(1);
});
