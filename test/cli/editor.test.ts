import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { readManifests } from '../../lib/manifest/index.ts';
import { folderWith, run } from './run.ts';

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');
const json = (folder: string, file: string): Record<string, unknown> => JSON.parse(read(folder, file)) as Record<string, unknown>;

test('writes schemas and the settings with which VS Code and JetBrains’ editors use them', async () => {
  const folder = folderWith({});
  const { code, out } = await run(['editor'], { cwd: folder });
  expect(code).toBe(0);
  for (const file of out.trim().split('\n')) expect(read(folder, file).length).toBeGreaterThan(0);
  expect(json(folder, '.vscode/settings.json')).toEqual({
    'yaml.schemas': { './schemas/dynamo.json': ['dist/*.yaml', 'graphs/*.yaml', '*.dynamo.yaml'] },
  });
  const xml = read(folder, '.idea/jsonSchemas.xml');
  expect(xml).toContain('<option name="relativePathToSchema" value="schemas/dynamo.json" />');
  expect([...xml.matchAll(/name="path" value="([^"]+)"/g)].map(([, path]) => path)).toEqual([
    'dist/*.yaml',
    'graphs/*.yaml',
    '*.dynamo.yaml',
  ]);
  // JetBrains reads the file as XML: every element is closed in its order.
  const open: string[] = [];
  for (const [, close, name, self] of xml.matchAll(/<(\/?)([A-Za-z]+)[^<>]*?(\/?)>/g)) {
    if (close === '/') expect(open.pop()).toBe(name);
    else if (self !== '/') open.push(name ?? '');
  }
  expect(open).toEqual([]);
});

test('the schema the settings point to takes a graph and names what is wrong with another', async () => {
  const folder = folderWith({});
  await run(['editor', '--schemas', 'tools/schemas'], { cwd: folder });
  const [file = ''] = Object.keys(json(folder, '.vscode/settings.json')['yaml.schemas'] as object);
  const ajv = new Ajv({ strict: false, logger: false });
  for (const name of readdirSync(join(folder, 'tools/schemas')))
    if (!file.endsWith(name)) ajv.addSchema(json(folder, `tools/schemas/${name}`), name);
  const check = ajv.compile(json(folder, file));
  const graph = (type: string, more = ''): unknown =>
    readManifests(
      `apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: { name: a${more} }\nspec: { services: { W: { componentType: ${type} } } }\n`,
      'a.yaml',
    ).documents[0]?.value;
  expect(check(graph('worker'))).toBe(true);
  expect(check(graph('workr'))).toBe(false);
  expect(check(graph('worker', ', lables: {}'))).toBe(false);
  expect(readdirSync(join(folder, 'tools/schemas')).length).toBeGreaterThan(6);
});

test('adds to settings that are there, and leaves alone what it cannot add to', async () => {
  const folder = folderWith({});
  mkdirSync(join(folder, '.vscode'));
  writeFileSync(join(folder, '.vscode/settings.json'), '{"editor.tabSize": 2, "yaml.schemas": {"./a.json": "a.yaml"}}');
  await run(['editor'], { cwd: folder });
  expect(json(folder, '.vscode/settings.json')).toMatchObject({
    'editor.tabSize': 2,
    'yaml.schemas': { './a.json': 'a.yaml', './schemas/dynamo.json': expect.any(Array) },
  });
  const twice = await run(['editor'], { cwd: folder });
  expect(twice).toMatchObject({ code: 0, err: expect.stringContaining('.idea/jsonSchemas.xml: already exists') });
  writeFileSync(join(folder, '.vscode/settings.json'), '{ // mine\n}');
  const commented = await run(['editor'], { cwd: folder });
  expect(commented.err).toContain('.vscode/settings.json: is not plain JSON and stays unchanged; add {"yaml.schemas"');
  expect(read(folder, '.vscode/settings.json')).toBe('{ // mine\n}');
});
