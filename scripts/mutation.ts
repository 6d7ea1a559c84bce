/**
 * `npm run mutation -- fit render --sample 300 --seed 9`: changes the code in small ways and tells which changes no test of the layer notices.
 * Words are layers, folders or files of lib; without any it goes through every layer of the table below. `--sample` tries so many mutants of
 * each layer, chosen by the seed; without it all of them, which takes hours for large layers. Results of earlier runs are used again where
 * neither code nor tests changed; they and each mutant's fate are in build/mutation/LAYER.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { summarize, type TriedMutant } from './mutation-summary.ts';

interface Layer {
  /** What is changed, as patterns of files. */
  readonly mutate: readonly string[];
  /** The tests that have to notice. */
  readonly tests: readonly string[];
  readonly without?: readonly string[];
}

const files = (folder: string): readonly string[] => [`${folder}/**/*.ts`];
const layer = (name: string, ...without: readonly string[]): Layer => ({
  mutate: files(`lib/${name}`),
  tests: [`test/${name}/**/*.test.ts`],
  without: without.map((file) => `test/${name}/${file}.test.ts`),
});

/**
 * The pure layers. Tests left out, so that a mutant costs seconds and not minutes: what compares our output with our own output (generated files),
 * laws of thousands of runs, whole Helm charts for every set of values (each part with the values that it is decided by is looked at), and tests that
 * load the whole command line or cdk8s (with the one construct that only they look at); what these would notice counts as unnoticed.
 */
const layers: Readonly<Record<string, Layer>> = {
  check: layer('check', '{agreement,projections,stages}'),
  fit: layer('fit', 'gpu-agreement'),
  admission: layer('admission'),
  api: { ...layer('api', 'generated', 'bounded-time'), tests: ['test/{api,admission}/**/*.test.ts'] },
  reconcile: layer('reconcile', '{laws,restart-laws,restart-states}'),
  gitops: {
    mutate: ['lib/gitops/*.ts', '!lib/gitops/gitops-app.ts'],
    tests: ['test/gitops/*.test.ts'],
    without: ['test/gitops/gitops-app.test.ts'],
  },
  helm: layer('gitops/helm', '{same-objects,same-verdict}'),
  render: layer('render'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '9' } },
});

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** A layer and what to change of it: all, or the files below a path. */
function target(word: string): { readonly name: string; readonly mutate: readonly string[] } {
  const whole = layers[word];
  if (whole !== undefined) return { name: word, mutate: whole.mutate };
  const path = word.replace(/\/$/, '');
  const folder = (one: Layer): string => (one.mutate[0] ?? '').replace(/\/\*.*$/, '');
  const [name] = Object.entries(layers)
    .filter(([, one]) => path === folder(one) || path.startsWith(`${folder(one)}/`))
    .toSorted(([, a], [, b]) => folder(b).length - folder(a).length)
    .map(([found]) => found);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || name === undefined)
    fail(`no layer, folder or file of one: ${word}; name layers of ${Object.keys(layers).join(', ')}, or files of them`);
  return { name, mutate: stat.isDirectory() ? files(path) : [path] };
}

const targets = (positionals.length > 0 ? positionals : Object.keys(layers)).map(target);
const sample = values.sample === undefined ? undefined : Number(values.sample);
if (sample !== undefined && !(Number.isInteger(sample) && sample > 0))
  fail(`--sample takes a number of mutants, got ${values.sample}`);

for (const name of new Set(targets.map((one) => one.name))) {
  const folder = `build/mutation/${name}`;
  const tried = `${folder}/mutants.jsonl`;
  rmSync(tried, { force: true });
  const run = {
    mutate: targets.filter((one) => one.name === name).flatMap(({ mutate }) => mutate),
    tests: layers[name]?.tests,
    without: layers[name]?.without ?? [],
    folder,
    tried,
    sample,
    seed: values.seed,
  };
  const { status } = spawnSync('npx', ['stryker', 'run'], {
    stdio: 'inherit',
    env: { ...process.env, MUTATION: JSON.stringify(run) },
  });
  if (status !== 0) fail(`stryker ended with ${status} on ${name}`);
  const mutants = readFileSync(tried, 'utf8')
    .trim()
    .split('\n')
    .map((line): TriedMutant => JSON.parse(line));
  console.log(`${name}, ${sample === undefined ? 'every mutant' : `a sample, seed ${values.seed}`}: ${summarize(mutants)}`);
}
