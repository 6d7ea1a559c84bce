import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { tests, without } = JSON.parse(process.env['MUTATION'] ?? '{}');

/** Quick files first: a mutant is done with at its first failing test. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { cache, config } = this.ctx;
    const duration = ({ moduleId, project }: TestSpecification): number =>
      cache.getFileTestResults(`${project.name}:${relative(config.root, moduleId)}`)?.duration ?? 0;
    return files.toSorted((a, b) => duration(a) - duration(b));
  }
}

/** What mutants are tried against: the tests of one layer, which need no build, no cluster and no child process. */
export default defineConfig({
  test: {
    include: [...(tests ?? []), 'test/every-module-loads.test.ts'],
    exclude: without,
    setupFiles: ['test/fast-check-seed.ts'],
    testTimeout: 180_000,
    pool: 'threads',
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
});
