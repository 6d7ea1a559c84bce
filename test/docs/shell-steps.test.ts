import { expect, test } from 'vitest';
import { stepsOf, strayCommands } from './shell-steps.ts';

const page = (...lines: readonly string[]): string => lines.join('\n');

test('a shell block is run, with its line', () => {
  expect(stepsOf(page('# Title', '', '```sh', 'kubectl get pods', 'kubectl version', '```'))).toEqual([
    { kind: 'run', text: 'kubectl get pods\nkubectl version', line: 3, detail: '' },
  ]);
});

test.each(['bash', 'console', 'shell'])('a block of %s is a shell block too, so that nothing slips through', (language) => {
  expect(stepsOf(page(`\`\`\`${language}`, 'ls', '```'))).toHaveLength(1);
});

test('a comment above a block says what is special about it, and about no other block', () => {
  const steps = stepsOf(
    page(
      '<!-- fails: no -->',
      '',
      '```sh',
      'false',
      '```',
      '',
      '```sh',
      'true',
      '```',
      '<!-- not run: no net -->',
      '```sh',
      'x',
      '```',
    ),
  );
  expect(steps.map(({ kind, fails, detail }) => [kind, fails, detail])).toEqual([
    ['run', 'no', ''],
    ['run', undefined, ''],
    ['not run', undefined, 'no net'],
  ]);
});

test('text between a comment and a block takes the comment away', () => {
  expect(stepsOf(page('<!-- not run: no net -->', 'Now this:', '```sh', 'x', '```'))[0]?.kind).toBe('run');
});

test('a file is written, and what is printed is compared', () => {
  const steps = stepsOf(
    page('<!-- file: a/b.yaml -->', '', '```yaml', 'a: 1', '```', '', '<!-- prints -->', '', '```text', 'done', '```'),
  );
  expect(steps).toEqual([
    { kind: 'file', text: 'a: 1\n', line: 3, detail: 'a/b.yaml' },
    { kind: 'prints', text: 'done', line: 9, detail: '' },
  ]);
});

test('blocks of other languages are for reading', () => {
  expect(stepsOf(page('```yaml', 'a: 1', '```', '```', 'plain', '```'))).toEqual([]);
});

test('commands in tables are run; names of commands, fields and files are not', () => {
  const row = '| `helm upgrade` fails | `spec.x` | `kubectl get pods \\| wc -l` | `values.yaml` |';
  expect(stepsOf(row).map(({ text }) => text)).toEqual(['kubectl get pods | wc -l']);
});

test('finds commands in running text, where they would not be run', () => {
  expect(strayCommands('Type `kubectl get pods -A` or not: `kubectl apply`.')).toEqual(['kubectl get pods -A']);
  expect(strayCommands(page('```sh', 'kubectl get pods -A', '```'))).toEqual([]);
});

test('fails on a block without an end', () => {
  expect(() => stepsOf('```sh\nls')).toThrow('line 1: the block has no end');
});
