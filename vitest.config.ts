import { defineConfig } from 'vitest/config';

const threads = { pool: 'threads', isolate: false } as const;

/** Starts a control plane of its own, with nodes. */
const operations = 'test/cluster/operations.test.ts';
/** Install webhooks and roles that would reach into what other tests do, so they have a control plane of their own too. */
const operatorOnPlatform = 'test/cluster/operator-*.test.ts';
const isLong = process.env['LONG'] === '1';
/** Far above what any test takes under load, and short enough that one that hangs is named while the run still has time. */
const patient = { testTimeout: isLong ? 3_600_000 : 600_000, hookTimeout: 1_800_000, ...threads };
const onControlPlane = { globalSetup: ['test/control-plane/global-setup.ts'], ...patient };

export default defineConfig({
  test: {
    // Transformed modules are kept by the hash of their text, so that a run transforms only what has changed since the last.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cluster/**', 'test/installed/**', 'test/network/**', 'test/operator/**', 'test/package/**'],
          setupFiles: ['test/fast-check-seed.ts'],
          // far above what any test takes: a loaded machine is no fault of the code
          testTimeout: 600_000,
          hookTimeout: 600_000,
          ...threads,
        },
      },
      {
        test: { name: 'package', include: ['test/package/**/*.test.ts'], ...patient },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts'],
          exclude: [operations, operatorOnPlatform],
          ...onControlPlane,
        },
      },
      { test: { name: 'operator-on-platform', include: [operatorOnPlatform], ...onControlPlane } },
      { test: { name: 'operations', include: [operations], ...patient } },
      // Run by test/cluster/network.test.ts in a network namespace of its own.
      { test: { name: 'network', include: ['test/network/**/*.test.ts'], ...onControlPlane } },
      // Run by test/operator/installed*.test.ts in a network namespace of its own.
      {
        test: {
          name: 'installed',
          include: ['test/installed/**/*.test.ts'],
          testTimeout: isLong ? 3_600_000 : 900_000,
          hookTimeout: 600_000,
          fileParallelism: false,
          ...threads,
        },
      },
      // Each test starts a control plane of its own: the operator would take care of other tests' graphs too.
      {
        test: {
          name: 'operator',
          include: ['test/operator/**/*.test.ts'],
          testTimeout: isLong ? 3_600_000 : 900_000,
          hookTimeout: 600_000,
          fileParallelism: false,
          ...threads,
        },
      },
    ],
  },
});
