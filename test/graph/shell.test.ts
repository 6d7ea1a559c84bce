import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellJoin, shellQuote } from '../../lib/graph/shell.ts';

test.each(['a', '--model=Qwen/Qwen3-0.6B', 'x@y:1,2%+'])('%s needs no quotes', (arg) => {
  expect(shellQuote(arg)).toBe(arg);
});

test('a shell reads every argument as it was', () => {
  const args = ['', ' ', "it's '90s", '$HOME `id` "x"', 'a\nb', '*', '~', 'a;b&c|d', '\\', '{"a":"b"}'];
  const read = execFileSync('sh', ['-c', `printf '%s\\0' ${shellJoin(args)}`], { encoding: 'utf8' });
  expect(read.split('\0').slice(0, -1)).toEqual(args);
});
