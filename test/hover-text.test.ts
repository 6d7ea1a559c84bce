import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { FlagOrder } from '../lib/graph/engine/flag.ts';
import { mockerFlagOrder } from '../lib/graph/engine/mocker.ts';
import { sglangFlagOrder } from '../lib/graph/engine/sglang.ts';
import { trtllmFlagOrder } from '../lib/graph/engine/trtllm.ts';
import { vllmFlagOrder } from '../lib/graph/engine/vllm.ts';
import { routerFlagOrder } from '../lib/graph/router.ts';

const root = resolve(import.meta.dirname, '..');

interface Member {
  readonly place: string;
  readonly optional: boolean;
  readonly comment: string;
}

/** The members of every exported interface of properties or options, with the comment an editor shows for each. */
function members(folder: string): readonly Member[] {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    const interfaces = readFileSync(file, 'utf8').matchAll(/^export interface (\w+(?:Props|Options))\b[^{]*\{\n([\s\S]*?)^\}/gm);
    return [...interfaces].flatMap(([, name = '', body = '']) =>
      [...body.matchAll(/((?:^ +\/?\*.*\n)*)^ {2}(?:readonly )?(\w+)(\??): /gm)].map(
        ([, comment = '', member = '', mark = '']): Member => ({
          place: `${relative(root, file)} ${name}.${member}`,
          optional: mark === '?',
          comment,
        }),
      ),
    );
  });
}

const all = ['lib/graph', 'lib/platform/constructs', 'lib/gitops'].flatMap(members);

test('every property says in an editor what it is for', () => {
  expect(all.length).toBeGreaterThan(150);
  expect(all.filter(({ comment }) => !comment.includes('/**')).map(({ place }) => place)).toEqual([]);
});

test('every optional property says its default, as a value or as behaviour', () => {
  const silent = all.filter(({ optional, comment }) => optional && !/@default (?!undefined)\S/.test(comment));
  expect(silent.map(({ place }) => place)).toEqual([]);
});

test.each<[string, FlagOrder]>([
  ['engine/vllm', vllmFlagOrder],
  ['engine/sglang', sglangFlagOrder],
  ['engine/trtllm', trtllmFlagOrder],
  ['engine/mocker', mockerFlagOrder],
  ['router', routerFlagOrder],
])('every option in lib/graph/%s.ts names its flag', (file, layout) => {
  const text = readFileSync(join(root, 'lib/graph', `${file}.ts`), 'utf8');
  const silent = layout.filter((entry) => {
    if (!('option' in entry)) return false;
    const property = entry.option.split('.').at(-1) ?? '';
    const before = text.slice(0, text.search(new RegExp(`^ +readonly ${property}\\?: (?!undefined)`, 'm')));
    const comment = before.slice(before.lastIndexOf('/**'));
    return ![entry.flag, entry.off].some((flag) => flag !== undefined && flag !== '' && comment.includes(`\`${flag}\``));
  });
  expect(silent).toEqual([]);
});
