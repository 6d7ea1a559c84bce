import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const lib = resolve(import.meta.dirname, '../lib');

/** Folders whose files compute what to deploy from plain data, and what each may import from lib. */
const pure: Readonly<Record<string, readonly string[]>> = {
  json: [],
  api: ['json'],
  manifest: ['json'],
  admission: ['json', 'api', 'manifest'],
  render: ['json', 'api', 'admission'],
  fit: ['json', 'api', 'render'],
  reconcile: ['json', 'api', 'admission', 'manifest', 'render'],
  rejections: ['json', 'api', 'admission', 'manifest', 'render', 'fit'],
  status: ['json', 'render', 'fit'],
  lint: ['json', 'api', 'admission', 'manifest', 'render', 'fit', 'rejections'],
  check: ['json', 'api', 'admission', 'manifest', 'render', 'lint'],
};

/** Packages that pure code may load: no cdk8s, no network, no files, no clock. */
const allowedPackages = /^(yaml|node:crypto)$/;
const forbiddenText = [
  /\bprocess\.env\b/,
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bMath\.random\b/,
  /\brandomUUID\b/,
  /\brandomBytes\b/,
];

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile() && /\.(ts|js)$/.test(e.name))
    .map((e) => join(e.parentPath, e.name));
}

function imports(source: string): readonly string[] {
  const found = [
    ...source.matchAll(/^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm),
    ...source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g),
    ...source.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm),
  ];
  return found.flatMap((m) => (m[1] === undefined ? [] : [m[1]]));
}

for (const [folder, may] of Object.entries(pure)) {
  test(`lib/${folder} is pure and depends only on ${['itself', ...may].join(', ')}`, () => {
    const wrong: string[] = [];
    for (const file of filesBelow(join(lib, folder))) {
      const source = readFileSync(file, 'utf8');
      const name = relative(lib, file);
      for (const target of imports(source)) {
        if (target.startsWith('.')) {
          const home = relative(lib, resolve(dirname(file), target)).split('/')[0] ?? '';
          if (home !== folder && !may.includes(home)) wrong.push(`${name} imports ${target}`);
        } else if (!allowedPackages.test(target)) wrong.push(`${name} imports ${target}`);
      }
      if (!name.includes('/generated/'))
        for (const pattern of forbiddenText) if (pattern.test(source)) wrong.push(`${name} uses ${pattern.source}`);
    }
    expect(wrong).toEqual([]);
  });
}

/** Every file of lib that loading one loads; types are erased and load nothing. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8').replaceAll(/^(?:import|export) type [^;]*;/gm, '');
  for (const target of imports(source)) if (target.startsWith('.')) loadedBy(resolve(dirname(file), target), seen);
  return seen;
}

test('schema and admission of the pipeline load neither rendering nor lint, for the webhook', () => {
  const loaded = [...loadedBy(join(lib, 'check/judge.ts'))].map((file) => relative(lib, file).split('/')[0]);
  expect(new Set(loaded)).toEqual(new Set(['check', 'admission', 'api', 'json', 'manifest']));
});

test('no file is named for nothing and every relative import names its file', () => {
  const wrong: string[] = [];
  for (const file of filesBelow(lib)) {
    if (/(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/.test(relative(lib, file))) wrong.push(relative(lib, file));
    for (const target of imports(readFileSync(file, 'utf8')))
      if (target.startsWith('.') && !/\.(ts|js|json)$/.test(target)) wrong.push(`${relative(lib, file)} imports ${target}`);
  }
  expect(wrong).toEqual([]);
});

test('string unions stand where other code has enums', () => {
  const wrong = filesBelow(lib).filter((file) => /^(?:export )?(?:declare )?(?:const )?enum /m.test(readFileSync(file, 'utf8')));
  expect(wrong.map((file) => relative(lib, file))).toEqual([]);
});
