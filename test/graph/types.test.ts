import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

test('illegal combinations do not type-check', () => {
  const tsc = path('../../node_modules/typescript/bin/tsc');
  // `tsc` exits with 1 and prints every expectation that no longer holds.
  expect(execFileSync(process.execPath, [tsc, '-p', path('types/tsconfig.json')], { encoding: 'utf8' })).toBe('');
});

test('every property of the authoring API tells what it is for and what it defaults to', () => {
  const files = [
    'chart',
    'component-props',
    'graph',
    'graph-presets',
    'platform',
    'model',
    'model-cache',
    'planner',
    'router',
    'worker',
    'frontend',
    'graph-request',
    'scaler',
  ];
  const engines = ['base', 'vllm', 'sglang', 'trtllm', 'mocker'].map((f) => `engine/${f}`);
  for (const file of [...files, ...engines]) {
    const text = readFileSync(path(`../../lib/graph/${file}.ts`), 'utf8');
    const optional = [...text.matchAll(/^( +)readonly (\w+)\?: (.*)$/gm)].filter(
      (m) => !m[3]?.startsWith('undefined') && m[0].endsWith(';'),
    );
    for (const match of optional) {
      const before = text.slice(0, match.index).trimEnd();
      const comment = before.slice(before.lastIndexOf('/**'));
      expect(comment.endsWith('*/') && comment.includes('@default'), `${file}: ${match[2]}`).toBe(true);
    }
  }
});
