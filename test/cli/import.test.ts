import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Io } from '../../lib/cli/command.ts';
import { runProgram as runCommand } from '../../lib/cli/program.ts';
import { run as runIn } from './run.ts';
import { frontend, graph, parse } from '../graph/import-manifests.ts';

const folder = mkdtempSync(join(tmpdir(), 'import-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('dynamo-cdk8s import', () => {
  const run = async (...argv: readonly string[]) => {
    let out = '';
    let err = '';
    const io: Io = {
      out: (text) => (out += text),
      err: (text) => (err += text),
      stdin: async () => Buffer.from(graph(frontend)),
      cwd: folder,
      env: {},
      colour: { out: false, err: false },
    };
    return { code: await runCommand(['import', ...argv], io, '0.0.0'), out, err };
  };

  test('prints to stdout, or writes a file once', async () => {
    expect(await run('-f', '-')).toMatchObject({
      code: 0,
      out: expect.stringContaining("new DynamoChart(new App(), 'graph'"),
      err: '',
    });
    expect(await run('-f', '-', '-o', 'My Graph.ts')).toEqual({ code: 0, out: 'My Graph.ts\n', err: '' });
    expect(readFileSync(join(folder, 'My Graph.ts'), 'utf8')).toContain("new DynamoChart(new App(), 'my-graph'");
    expect(await run('-f', '-', '-o', 'My Graph.ts')).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
    expect(await run('-f', '-', '-o', 'My Graph.ts', '--force')).toMatchObject({ code: 0 });
  });

  test('writes a function for a repository that has a main.ts of its own', async () => {
    const { code, out } = await run('-f', '-', '--function');
    expect(code).toBe(0);
    expect(out).toMatch(/^import \{ type App \} from 'cdk8s';$/m);
    expect(out).toMatch(/^export function addGraph\(app: App\): DynamoChart \{\n {2}const chart = /m);
    expect(out).toMatch(/^ {2}return chart;\n\}\n$/m);
    expect(out).not.toContain('synth');
  });

  test('fails with a place for what is no object', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'kind: A\n---\n- 1\n');
    expect(await run('-f', 'bad.yaml')).toEqual({
      code: 1,
      out: '',
      err: 'bad.yaml:1:1 apiVersion: must be a string, got nothing\nbad.yaml:3:1 must be an object\n',
    });
    writeFileSync(join(folder, 'empty.yaml'), '');
    expect(await run('-f', 'empty.yaml')).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing to import: the input holds no object\n'),
    });
  });

  test('writes what the API server refuses as it is, says why, and fails', async () => {
    writeFileSync(join(folder, 'refused.yaml'), graph(frontend.replace('replicas: 1', 'replicas: -1')));
    const { code, out, err } = await run('-f', 'refused.yaml');
    expect(code).toBe(1);
    expect(err).toMatch(/^refused\.yaml:\d+:\d+ spec\.services\.Frontend\.replicas: must be 0 or more, got -1\n$/);
    expect(out).toContain('// As imported, the API server refuses it: spec.services.Frontend.replicas');
    expect(await run('-f', 'refused.yaml', '-o', 'refused.ts')).toMatchObject({ code: 1, out: 'refused.ts\n' });
  });

  test('is no longer than YAML of few lines, and readable for JSON', async () => {
    const lines = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length;
    const compact = [
      'apiVersion: nvidia.com/v1alpha1',
      'kind: DynamoGraphDeployment',
      'metadata: { name: mine }',
      'spec:',
      '  services:',
      "    F: { componentType: frontend, replicas: 1, labels: { a: b, c: d }, extraPodSpec: { nodeSelector: { a: b }, mainContainer: { image: 'i:1', command: [a], args: [b, c] } } }",
      "    W: { componentType: worker, replicas: 2, labels: { a: b, c: d }, extraPodSpec: { nodeSelector: { a: b }, mainContainer: { image: 'i:1', command: [sh, -c], args: ['./run'] } } }",
      '',
    ].join('\n');
    const { out } = await runIn(['import', '-f', '-'], { stdin: compact });
    expect(lines(out)).toBeLessThanOrEqual(lines(compact));
    const json = JSON.stringify(parse(compact)[0]);
    const readable = (await runIn(['import', '-f', '-'], { stdin: json })).out;
    expect(Math.max(...readable.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130);
  });

  test('keeps empty values of ConfigMaps, and says which nulls are left out', async () => {
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { a: null, b: x }\n';
    const claim = '---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: p }\nspec: { storageClassName: null }\n';
    const { code, out, err } = await runIn(['import', '-f', 'c.yaml'], { files: { 'c.yaml': map + claim } });
    expect(code).toBe(0);
    expect(out).toContain("data: { a: '', b: 'x' }");
    expect(err).toBe(
      'c.yaml:9:9 warning: spec.storageClassName: cdk8s does not write null, so the field is omitted; set a value or remove the field\n',
    );
  });

  test('accepts in code what the API server will reject of a graph, says so, and fails', async () => {
    writeFileSync(join(folder, 'rejected.yaml'), graph(frontend).replace('name: mine', 'name: 0-day'));
    const { code, out, err } = await run('-f', 'rejected.yaml');
    expect(code).toBe(1);
    expect(err).toContain('the API server refuses Service 0-day-frontend');
    expect(out).toMatch(/suppress.*DYN-API-001/s);
  });

  test('fails with a place for metadata that cdk8s cannot hold, and writes services without a name as they are', async () => {
    const owners = graph(frontend).replace('name: mine', 'name: mine, ownerReferences: 1');
    writeFileSync(join(folder, 'owners.yaml'), owners);
    expect((await run('-f', 'owners.yaml')).err).toMatch(/^owners\.yaml:4:\d+ metadata\.ownerReferences: must be a list; cdk8s/m);
    writeFileSync(join(folder, 'nameless.yaml'), graph(frontend.replace('Frontend', "''")));
    expect(await run('-f', 'nameless.yaml')).toMatchObject({ code: 1, out: expect.stringContaining('new ApiObject(') });
  });

  test.each(['__proto__', 'constructor'])('fails with the path of a key %s, which cdk8s cannot write', async (key) => {
    writeFileSync(join(folder, 'key.yaml'), graph(frontend.replace('Frontend', key)));
    const err = `key.yaml:8:5 spec.services.${key}: cdk8s cannot write a key of this name; rename it\n`;
    expect(await run('-f', 'key.yaml')).toEqual({ code: 1, out: '', err });
  });
});
