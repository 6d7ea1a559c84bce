// `npm run mutation -- lib/fit lib/render/hash.ts`: changes the code in small ways and tells which changes no test notices.
const layers = ['api', 'admission', 'check', 'fit', 'gitops', 'manifest', 'reconcile', 'render'];

export default {
  mutate: [...layers.map((layer) => `lib/${layer}/**/*.ts`), '!lib/api/generated/**', '!**/index.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: true },
  plugins: ['@stryker-mutator/vitest-runner'],
  incremental: true,
  incrementalFile: 'build/mutation/incremental.json',
  tempDirName: 'build/mutation/sandbox',
  ignorePatterns: ['build', 'dist', '.git', 'coverage'],
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 30_000,
  reporters: ['clear-text', 'progress', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'build/mutation/report.json' },
  // TypeScript 7 has no JavaScript API, which the rewriting of a tsconfig would need; a name without a file turns it off.
  tsconfigFile: 'none.json',
  checkers: [],
  disableTypeChecks: false,
  allowEmpty: true,
  cleanTempDir: 'always',
};
