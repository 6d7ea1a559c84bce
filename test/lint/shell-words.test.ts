import { expect, test } from 'vitest';
import { splitShell } from '../../lib/lint/shell-words.ts';

const words = (script: string): readonly (readonly string[])[] =>
  splitShell(script, (name) => ({ MODEL: 'qwen', EMPTY: '' })[name])
    .filter((command) => command.length > 0)
    .map((command) => command.map(({ value }) => value));

// Quoting, expansion and separators of the POSIX shell: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/V3_chap02.html
test.each([
  [`echo 'a b' "c d" e\\ f`, [['echo', 'a b', 'c d', 'e f']]],
  [`echo 'never closed`, [['echo', 'never closed']]],
  [`echo "never closed`, [['echo', 'never closed']]],
  [`echo ''`, [['echo', '']]],
  [`echo 'x'"y"z`, [['echo', 'xyz']]],
  ['cd /work && python3 -m dynamo.vllm; wait', [['cd', '/work'], ['python3', '-m', 'dynamo.vllm'], ['wait']]],
  ['--model $MODEL --tag ${MODEL}-1', [['--model', 'qwen', '--tag', 'qwen-1']]],
  [`'$MODEL' "$MODEL" \\$MODEL`, [['$MODEL', 'qwen', '$MODEL']]],
  ['a \\\n b', [['a', 'b']]],
  ['a # b c\nd', [['a'], ['d']]],
  ['a\tb\r\nc', [['a', 'b\r'], ['c']]],
])('splits %j', (script, commands) => {
  expect(words(script)).toEqual(commands);
});

test('marks words with a variable that is not known', () => {
  const [command = []] = splitShell('a $OTHER $(date)', () => undefined);
  expect(command.map(({ unresolved }) => unresolved)).toEqual([false, true, true]);
});
