// Settings of `npm run mutation`, which says in MUTATION what to change and which tests to run; see scripts/mutation.ts.
const { mutate, folder } = JSON.parse(process.env['MUTATION'] ?? 'null') ?? {};
if (mutate === undefined) throw new Error('run npm run mutation -- LAYER');

export default {
  mutate: [...mutate, '!lib/api/generated/**', '!**/index.ts'],
  testRunner: 'vitest',
  // The tests to run are chosen by what they reach (perTest), so nothing is gained by walking their imports too.
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation-sample.mjs'],
  incremental: true,
  incrementalFile: `${folder}/incremental.json`,
  tempDirName: `${folder}/sandbox`,
  ignorePatterns: ['build', 'dist', '.git', 'coverage'],
  // Tables are much of the code: what is evaluated when a module is loaded counts, though each such mutant runs all tests of its layer.
  ignoreStatic: false,
  // No mutator is left out: messages and object names are part of the contract.
  concurrency: 1,
  // Far above what the tests of a layer take, so that a loaded machine is not taken for a mutant that never ends.
  timeoutMS: 180_000,
  dryRunTimeoutMinutes: 30,
  reporters: ['sample', 'progress', 'json'],
  jsonReporter: { fileName: `${folder}/report.json` },
  // TypeScript 7 has no JavaScript API, which the rewriting of a tsconfig would need; a name without a file turns it off.
  tsconfigFile: 'none.json',
  checkers: [],
  disableTypeChecks: false,
  warnings: { slow: false },
  cleanTempDir: 'always',
};
