import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { launchesModule, withEngineFlags } from '../../lib/render/launch-command.ts';

/** The operator's patterns, which take cubic time. */
const launch = /python[0-9.]*[\t\n\f\r ]+[^|&;]*-m[\t\n\f\r ]+[^|&;]*dynamo\.vllm[^|&;]*/;
const flagged = /(python[0-9.]*[\t\n\f\r ]+[^|&;]*vllm[^|&;]*?)([\t\n\f\r ]|$|[|&;])/g;

const commands = fc
  .array(fc.constantFrom('python', '3', '.', ' ', '\n', '-m', 'dynamo.', 'vllm', 'vll', '|', '&', ';', 'x', '"', '\u00a0'), {
    maxLength: 16,
  })
  .map((words) => words.join(''));

test('finds a module where the pattern of the operator does', () => {
  fc.assert(
    fc.property(commands, (text) => launchesModule(text, 'vllm') === launch.test(text)),
    { numRuns: 20_000 },
  );
  expect(launchesModule('cd /x && python3.12 -u -m dynamo.vllm --x', 'vllm')).toBe(true);
});

test('adds flags where the pattern of the operator does', () => {
  fc.assert(
    fc.property(commands, (text) => {
      expect(withEngineFlags(text, 'vllm', '--a')).toBe(text.replace(flagged, '$1 --a$2'));
    }),
    { numRuns: 20_000 },
  );
});
