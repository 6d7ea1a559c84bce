import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTool, missingTools } from '../../tools/find.ts';
import { succeed } from '../command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubeconform-'));
const examples = resolve(import.meta.dirname, '../../examples');
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(missingTools(['kubeconform']).length > 0)('kubeconform with our JSON Schemas', () => {
  let argv: readonly string[] = [];
  let kubeconform = '';
  beforeAll(async () => {
    kubeconform = await findTool('kubeconform');
    await succeed(folder, 'crds', '--format', 'jsonschema', '-o', 'schemas');
    argv = [
      '-strict',
      '-summary',
      '-output',
      'json',
      '-skip',
      'ConfigMap,PersistentVolumeClaim,Job,Secret,ComputeDomain',
      '-schema-location',
      join(folder, 'schemas/{{ .ResourceKind }}_{{ .ResourceAPIVersion }}.json'),
    ];
  });

  test('accepts every example', () => {
    const { summary } = JSON.parse(
      execFileSync(kubeconform, [...argv, '-ignore-filename-pattern', String.raw`\.ts$`, examples], { encoding: 'utf8' }),
    );
    expect(summary).toMatchObject({ invalid: 0, errors: 0 });
    expect(summary.valid).toBeGreaterThan(50);
  });

  test('refuses an unknown field and a wrong type', () => {
    const file = join(folder, 'wrong.json');
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'nvidia.com/v1alpha1',
        kind: 'DynamoGraphDeployment',
        metadata: { name: 'x' },
        spec: { services: { Worker: { replcas: 1, replicas: 'two' } } },
      }),
    );
    const { status, stdout } = spawnSync(kubeconform, [...argv, file], { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stdout).toContain('replcas');
    expect(stdout).toMatch(/replicas/);
  });
});
