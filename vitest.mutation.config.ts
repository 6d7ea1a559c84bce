import { defineConfig } from 'vitest/config';

/**
 * What mutants are tried against: the tests of the pure layers, which need no build, no cluster and no child process. Laws of decisions are left
 * out: thousands of runs for each mutant would take days.
 */
export default defineConfig({
  test: {
    include: ['test/{admission,api,check,fit,gitops,lint,manifest,reconcile,render}/**/*.test.ts', 'test/platform/**/*.test.ts'],
    exclude: ['test/reconcile/{laws,restart-laws,restart-states}.test.ts'],
    setupFiles: ['test/fast-check-seed.ts'],
    testTimeout: 180_000,
    pool: 'threads',
  },
});
