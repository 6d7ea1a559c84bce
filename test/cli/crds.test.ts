import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { crds } from '../../lib/api/crds.ts';
import { folderWith, run } from './run.ts';

const names = crds().map((crd) => `nvidia.com_${crd.spec.names.plural}`);

test('prints all six CRDs as one stream that kubectl can apply', async () => {
  const { code, out, err } = await run(['crds']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const documents = out.split('---\n');
  expect(documents).toHaveLength(6);
  // The two great ones take a second to parse, and are covered by their golden files.
  expect(documents.slice(2).map((document) => parse(document) as unknown)).toEqual(crds().slice(2));
});

test('prints one List as JSON', async () => {
  const { out } = await run(['crds', '--format', 'json']);
  expect(JSON.parse(out)).toEqual({ apiVersion: 'v1', kind: 'List', items: crds() });
});

test('writes one file per kind and prints their names', async () => {
  const cwd = folderWith({ 'kept.txt': 'x' });
  const { code, out } = await run(['crds', '-o', 'a/b'], { cwd });
  expect({ code, out }).toEqual({ code: 0, out: names.map((name) => `a/b/${name}.yaml\n`).join('') });
  expect(readdirSync(join(cwd, 'a/b')).sort()).toEqual(names.map((name) => `${name}.yaml`).sort());
});

test('writes JSON Schemas that accept what is right and point at what is unknown', async () => {
  const cwd = folderWith({});
  expect(await run(['crds', '--format', 'jsonschema', '-o', 's'], { cwd })).toMatchObject({ code: 0 });
  const schema = JSON.parse(readFileSync(join(cwd, 's/dynamographdeployment_v1alpha1.json'), 'utf8')) as object;
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const graph = (worker: object): object => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g' },
    spec: { services: { Worker: worker } },
  });
  const full = {
    multinode: {},
    replicas: 1,
    eppConfig: { config: { plugins: [], schedulingProfiles: [], more: 1 } },
    extraPodSpec: { mainContainer: {} },
  };
  expect(validate(graph(full))).toBe(true);
  expect(validate(graph({ replicas: null, labels: { a: null }, multinode: null }))).toBe(true);
  for (const wrong of [
    { replcas: 1 },
    { replicas: '1' },
    { sharedMemory: { size: 'lots' } },
    { envs: [{ value: 'x' }] },
    { envs: [null] },
    { envs: [{ name: null }] },
  ]) {
    expect(validate(graph(wrong)), JSON.stringify(wrong)).toBe(false);
  }
});

test('fails without a stack trace where the folder cannot be written', async () => {
  const { code, out, err } = await run(['crds', '-o', 'file/below'], { files: { file: '' } });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^file\/below: cannot be written \(.*\)\n$/);
});

test('rejects an unknown format and names those it knows', async () => {
  const { code, err } = await run(['crds', '--format', 'toml']);
  expect(code).toBe(1);
  expect(err).toContain('Allowed choices are yaml, json, jsonschema');
});

test('says what to do where a file is named as the folder', async () => {
  const { code, err } = await run(['crds', '-o', 'file'], { cwd: folderWith({ file: 'x' }) });
  expect({ code, err }).toEqual({
    code: 1,
    err: 'file: cannot be written (a file or a broken symbolic link is in its place; name a folder)\n',
  });
});
