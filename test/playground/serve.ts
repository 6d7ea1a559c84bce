/** `npm run playground`: starts a playground, prints its kubeconfig and what to try, and keeps it until Ctrl-C. */
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { startPlayground } from './playground.ts';

const usage = `usage: npm run playground

Starts a control plane, a scheduler, GPU nodes simulated by kwok, the platform, the operator and an example graph, and prints commands to try.
`;

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

/** A word as a shell reads it. */
function quote(word: string): string {
  return /^[\w./+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

const stops: (() => Promise<void>)[] = [];
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Ends everything that was started, the last first. What is just being started ends with this process. */
async function stopAll(): Promise<void> {
  for (const stop of stops.toReversed()) await stop();
}

async function serve(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const { kubeconfig, kubectl, logs, failed } = await startPlayground({ say, onStop: (stop) => void stops.push(stop) });
  process.stdout.write(`${kubeconfig}\n`);
  say(`ready; in another terminal, in this folder:

  export KUBECONFIG=${quote(kubeconfig)} PATH=${quote(dirname(kubectl))}:$PATH

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
