/**
 * `npm run mutation -- fit render --sample 300 --seed 9`: mutation tests; reports which small changes of the code no test of the layer detects.
 * Arguments are layers, folders or files of lib; the default is every layer of the table below. `--sample` tests that many mutants of each layer,
 * selected by the seed; without it all mutants are tested, which takes hours for large layers. Results of earlier runs are reused if neither code
 * nor tests changed; they and the result of each mutant are in build/mutation/LAYER.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { summarize, type TriedMutant } from './mutation-summary.ts';

interface Layer {
  /** File patterns of the code to mutate. */
  readonly mutate: readonly string[];
  /** File patterns of the tests to run. */
  readonly tests: readonly string[];
  /** File patterns of tests to leave out. */
  readonly without?: readonly string[];
}

const files = (folder: string): readonly string[] => [`${folder}/**/*.ts`];
const layer = (name: string, ...without: readonly string[]): Layer => ({
  mutate: files(`lib/${name}`),
  tests: [`test/${name}/**/*.test.ts`],
  without: without.map((file) => `test/${name}/${file}.test.ts`),
});

/**
 * The pure layers. To keep a mutant at seconds instead of minutes, these tests are left out: comparisons of generated files, properties with thousands
 * of runs, whole Helm charts for every set of values (each part is still tested with the values that affect it), and tests that load the whole command
 * line or cdk8s (with the one construct that only they test). A mutant that only these would detect counts as survived.
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

/** The layer that an argument names, and the files of it to mutate: all, or those below a path. */
function target(argument: string): { readonly name: string; readonly mutate: readonly string[] } {
  const whole = layers[argument];
  if (whole !== undefined) return { name: argument, mutate: whole.mutate };
  const path = argument.replace(/\/$/, '');
  const folder = (one: Layer): string => (one.mutate[0] ?? '').replace(/\/\*.*$/, '');
  const [name] = Object.entries(layers)
    .filter(([, one]) => path === folder(one) || path.startsWith(`${folder(one)}/`))
    .toSorted(([, a], [, b]) => folder(b).length - folder(a).length)
    .map(([found]) => found);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || name === undefined)
    fail(`${argument}: must be a layer (${Object.keys(layers).join(', ')}), or a folder or file of one`);
  return { name, mutate: stat.isDirectory() ? files(path) : [path] };
}

const targets = (positionals.length > 0 ? positionals : Object.keys(layers)).map(target);
const sample = values.sample === undefined ? undefined : Number(values.sample);
if (sample !== undefined && !(Number.isInteger(sample) && sample > 0))
  fail(`--sample: must be a number of mutants of 1 or more, got ${values.sample}`);

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
  if (status !== 0) fail(`stryker exited with ${status} on ${name}`);
  const mutants = readFileSync(tried, 'utf8')
    .trim()
    .split('\n')
    .map((line): TriedMutant => JSON.parse(line));
  console.log(`${name}, ${sample === undefined ? 'every mutant' : `a sample, seed ${values.seed}`}: ${summarize(mutants)}`);
}
