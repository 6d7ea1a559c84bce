import { defineConfig } from 'vitest/config';

const threads = { pool: 'threads', isolate: false } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cluster/**', 'test/package/**'],
          testTimeout: 30_000,
          ...threads,
        },
      },
      {
        test: { name: 'package', include: ['test/package/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 300_000, ...threads },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts'],
          globalSetup: ['test/control-plane/global-setup.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          ...threads,
        },
      },
    ],
  },
});
