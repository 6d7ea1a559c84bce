import { readdirSync, readFileSync } from 'node:fs';
import { App, Chart } from 'cdk8s';
import * as cdk8s from 'cdk8s';
import * as plus from 'cdk8s-plus-28';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildCommand } from '../../lib/cli/program.ts';
import { commands } from '../../lib/cli/commands.ts';
import { templateFiles } from '../../lib/cli/init-template.ts';
import * as gitops from '../../lib/gitops/index.ts';
import * as graph from '../../lib/graph/index.ts';
import * as platform from '../../lib/platform/index.ts';

const docs = new URL('../../docs/', import.meta.url);
const pages = ['tutorial.md', 'examples.md', ...readdirSync(new URL('concepts/', docs)).map((f) => `concepts/${f}`)];
const modules: Readonly<Record<string, object>> = {
  cdk8s,
  'cdk8s-plus-28': plus,
  'dynamo-cdk8s': graph,
  'dynamo-cdk8s/gitops': gitops,
  'dynamo-cdk8s/platform': platform,
};

const blocks = (page: string, language: string): readonly string[] =>
  [...readFileSync(new URL(page, docs), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (m) => m[1] ?? '',
  );

/** Runs all TypeScript of a page as one program, as a reader who follows it would, and returns the objects of its chart. */
function runPage(page: string): readonly Record<string, unknown>[] {
  const names = new Map<string, unknown>();
  const body = blocks(page, 'ts')
    .join('\n')
    .replace(/^import \{ (.*) \} from '(.*)';$/gm, (_, list: string, module: string) => {
      for (const name of list.split(', ')) names.set(name, (modules[module] as Record<string, unknown> | undefined)?.[name]);
      return '';
    });
  expect([...names].filter(([, value]) => value === undefined)).toEqual([]);
  // oxlint-disable-next-line typescript/no-implied-eval -- the documentation is the text under test
  const run = new Function(...names.keys(), 'console', `${body}\nreturn chart;`) as (...args: readonly unknown[]) => Chart;
  const chart = run(...names.values(), { log: () => undefined });
  expect(App.of(chart)).toBeInstanceOf(App);
  return chart.toJson() as Record<string, unknown>[];
}

/** The documents of a page that the objects do not contain. */
const identity = (object: Record<string, unknown>): string =>
  `${String(object['kind'])}/${(object['metadata'] as { name: string }).name}`;

/** The tutorial's blocks in order; a TypeScript block of it is a whole file. */
const tutorial = [
  ...readFileSync(new URL('tutorial.md', docs), 'utf8').matchAll(/(?:^<!-- file: (\S+) -->\n\n)?^```(ts|yaml)\n([\s\S]*?)^```/gm),
].map(([, file = '', language = '', text = '']) => ({ file, language, text }));

/** The objects that a function of the tutorial adds to a chart. */
function runFunction(text: string, name: string): readonly Record<string, unknown>[] {
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs' });
  const exported: Record<string, unknown> = {};
  // oxlint-disable-next-line typescript/no-implied-eval -- the documentation is the text under test
  const run = new Function('require', 'module', code) as (load: (m: string) => unknown, module: { exports: unknown }) => void;
  const module = { exports: exported as unknown };
  run((m) => modules[m], module);
  const add = (module.exports as Record<string, (chart: Chart) => unknown>)[name];
  const chart = new graph.DynamoChart(new App(), 'chat', { namespace: 'llm' });
  add?.(chart);
  return chart.toJson() as Record<string, unknown>[];
}

describe('the tutorial', () => {
  const template = templateFiles({ name: 'my-graphs', dependency: '^1.0.0' });

  test.each(['main.ts', 'graphs/chat.ts'])('shows %s as init writes it, before it changes it', (file) => {
    expect(tutorial.find((b) => b.file === file)?.text).toBe(template[file]);
  });

  test('renders what it shows', () => {
    let objects: ReadonlyMap<string, Record<string, unknown>> = new Map();
    for (const { file, language, text } of tutorial) {
      if (file === 'graphs/chat.ts') objects = new Map(runFunction(text, 'addChat').map((o) => [identity(o), o]));
      if (language !== 'yaml') continue;
      const shown = parse(text) as Record<string, unknown>;
      expect(objects.get(identity(shown)), identity(shown)).toMatchObject(shown);
    }
    expect(objects.size).toBeGreaterThan(1);
  });
});

describe.each(pages)('docs/%s', (page) => {
  test.skipIf(page === 'tutorial.md' || blocks(page, 'ts').length === 0)('runs, and renders what it shows', () => {
    const objects = new Map(runPage(page).map((o) => [identity(o), o]));
    for (const text of blocks(page, 'yaml')) {
      const shown = parse(text) as Record<string, unknown>;
      expect(objects.get(identity(shown)), identity(shown)).toMatchObject(shown);
    }
  });

  test('names only commands and options that exist', async () => {
    const lines = blocks(page, 'sh').flatMap((b) => b.split('\n'));
    for (const [, name = '', rest = ''] of lines.map((l) => /dynamo-cdk8s ([a-z]+)(.*)/.exec(l)).filter((m) => m !== null)) {
      const entry = commands.find((c) => c.name === name);
      if (entry === undefined) throw new Error(`${page} names the command ${name}, which does not exist`);
      const io = {
        out: () => undefined,
        err: () => undefined,
        stdin: async () => Buffer.of(),
        cwd: '.',
        env: {},
        colour: { out: false, err: false },
      };
      const known = (await buildCommand(entry, io, () => undefined)).options.flatMap((o) => [o.short, o.long]);
      for (const flag of rest.match(/ --?[a-z-]+/g) ?? []) expect(known).toContain(flag.trim());
    }
  });

  test('links to pages that exist', () => {
    const text = readFileSync(new URL(page, docs), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!http)([^)#]+)/g)) {
      expect(() => readdirSync(new URL(target.endsWith('/') ? target : `${target}/..`, new URL(page, docs)))).not.toThrow();
      if (!target.endsWith('/')) expect(readFileSync(new URL(target, new URL(page, docs)), 'utf8').length).toBeGreaterThan(0);
    }
  });
});
