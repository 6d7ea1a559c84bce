import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');

/** Where what lib exports may be used. */
const users = ['lib', 'test', 'scripts', 'bench', 'examples', 'tools', 'main.ts'];

/** The indexes that the package offers to its users. What they pass on counts as used. */
const publicIndexes = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' || !entry.default.includes('build/lib/')
    ? []
    : [entry.default.replace('./build/', '').replace(/\.js$/, '.ts')],
);

/** Built into files of their own and loaded by others by name: nobody here imports them. */
const entryFiles = ['lib/lint-plugin/dynamo-lint.ts'];

/** Holds the text of a program that users get, whose exports are not ours. */
const programTexts = ['lib/cli/init-template.ts'];

interface Import {
  readonly file: string;
  readonly target: string;
  /** `*` for a namespace or a dynamic import without names. */
  readonly names: readonly string[];
  readonly reexport: boolean;
}

function sources(entry: string): readonly string[] {
  const path = join(root, entry);
  if (!existsSync(path)) return [];
  if (path.endsWith('.ts')) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile() && /\.(ts|mjs)$/.test(e.name) && !e.parentPath.includes('node_modules'))
    .map((e) => join(e.parentPath, e.name));
}

function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .map((name) => name.split(/ as |:/)[0]?.trim() ?? '');
}

/** Source without comments. */
function code(file: string): string {
  return readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
}

function importsOf(file: string): readonly Import[] {
  const found: Import[] = [];
  const add = (spec: string | undefined, names: readonly string[], reexport: boolean): void => {
    if (spec?.startsWith('.') !== true) return;
    found.push({ file: relative(root, file), target: relative(root, resolve(dirname(file), spec)), names, reexport });
  };
  const text = code(file);
  for (const [, verb, list = '', spec] of text.matchAll(/^(import|export) (?:type )?\{([^}]*)\} from '([^']+)'/gm))
    add(spec, namesIn(list), verb === 'export');
  for (const [, verb, spec] of text.matchAll(/^(import|export) (?:type )?\*(?: as \w+)? from '([^']+)'/gm))
    add(spec, ['*'], verb === 'export');
  for (const [, list = '', spec] of text.matchAll(/const \{([^}]*)\} = await import\('([^']+)'\)/g))
    add(spec, namesIn(list), false);
  for (const [, spec, member = ''] of text.matchAll(/\(await import\('([^']+)'\)\)\.(\w+)/g)) add(spec, [member], false);
  for (const [, list = '', specs = ''] of text.matchAll(/const \[([^\]]*)\] = await Promise\.all\(\[([^\]]*)\]\)/g))
    for (const [index, [, spec]] of [...specs.matchAll(/import\('([^']+)'\)/g)].entries())
      add(spec, namesIn([...list.matchAll(/\{([^}]*)\}/g)][index]?.[1] ?? ''), false);
  return found;
}

const files = users.flatMap(sources);
const imports = files.flatMap(importsOf);
const libFiles = sources('lib')
  .map((file) => relative(root, file))
  .filter((file) => !file.includes('/generated/'));

function exportsOf(file: string): readonly string[] {
  return [
    ...code(join(root, file)).matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const) (\w+)/gm,
    ),
  ].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** The folder of lib a file belongs to. */
function folderOf(file: string): string {
  return file.split('/').length > 2 ? file.split('/').slice(0, 2).join('/') : 'lib';
}

test('folders of lib use each other through their indexes', () => {
  const deep = imports.filter(
    ({ file, target }) =>
      file.startsWith('lib/') &&
      target.startsWith('lib/') &&
      existsSync(join(root, target)) &&
      folderOf(file) !== folderOf(target) &&
      !target.endsWith('/index.ts'),
  );
  expect(deep.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test('an index only passes on what its folder has', () => {
  const indexes = libFiles.filter((file) => publicIndexes.includes(file) || file === 'lib/index.ts');
  const withCode = indexes.filter((file) => exportsOf(file).length > 0);
  expect(withCode).toEqual([]);
});

test('everything a file exports is used outside it', () => {
  const used = new Map<string, Set<string>>();
  for (const { target, names } of imports) {
    const known = used.get(target) ?? new Set();
    used.set(target, known);
    for (const name of names) known.add(name);
  }
  const unused = libFiles.flatMap((file) => {
    const known = used.get(file) ?? new Set();
    return known.has('*') || entryFiles.includes(file) || programTexts.includes(file)
      ? []
      : exportsOf(file)
          .filter((name) => !known.has(name))
          .map((name) => `${file}: ${name}`);
  });
  expect(unused).toEqual([]);
});

test('what an index passes on is used by another folder, unless the package offers it to its users', () => {
  const idle = imports.flatMap(({ file, names, reexport }) => {
    if (!reexport || !file.endsWith('/index.ts') || publicIndexes.includes(file)) return [];
    const users = imports.filter(({ target }) => target === file);
    if (users.some((user) => user.names.includes('*'))) return [];
    return names.filter((name) => !users.some((user) => user.names.includes(name))).map((name) => `${file}: ${name}`);
  });
  expect(idle).toEqual([]);
});
