import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { folderWith, run } from '../cli/run.ts';

interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
const items = (out: string): readonly Item[] => (JSON.parse(out) as { readonly items: readonly Item[] }).items;
const clusterScoped =
  /^(Cluster|CustomResourceDefinition|Namespace|PriorityClass|ValidatingWebhook|MutatingWebhook|Queue|Config$|SchedulingShard)/;

describe('platform', () => {
  test('prints YAML documents, all of them in a namespace or in none by right', async () => {
    const { code, out } = await run(['platform']);
    expect(code).toBe(0);
    const documents = parseAllDocuments(out).map((d) => d.toJSON() as Item);
    expect(documents.length).toBeGreaterThan(30);
    for (const { kind, metadata } of documents) expect(metadata.namespace === undefined).toBe(clusterScoped.test(kind));
  });

  test('prints one List as JSON', async () => {
    const { out } = await run(['platform', '-o', 'json', '--profile', 'parity', '--release', 'r', '-n', 'ns']);
    expect(JSON.parse(out)).toMatchObject({ apiVersion: 'v1', kind: 'List' });
    expect(items(out)).toHaveLength(46);
    expect(new Set(items(out).map((i) => i.metadata.namespace))).toEqual(new Set(['ns', undefined]));
  });

  test('layers files and --set as helm does: later files, then JSON, then typed, then text', async () => {
    const cwd = folderWith({
      'a.yaml': 'dynamo-operator: {natsAddr: a, etcdAddr: a, modelExpressURL: a, dynamo: {ingressHostSuffix: a}}\n',
      'b.json': '{"dynamo-operator": {"etcdAddr": "b"}}',
    });
    const sets = [
      '--set-string',
      'dynamo-operator.natsAddr=1',
      '--set',
      'dynamo-operator.natsAddr=2,dynamo-operator.modelExpressURL=2',
      '--set-json',
      'dynamo-operator.modelExpressURL="3"',
    ];
    const { out } = await run(['platform', '-f', 'a.yaml', '-f', 'b.json', ...sets], { cwd });
    expect(out.match(/--(natsAddr|etcdAddr|model-express-url|ingress-host-suffix)=.*/g)?.sort()).toEqual([
      '--etcdAddr=b',
      '--ingress-host-suffix=a',
      '--model-express-url=2',
      '--natsAddr=1',
    ]);
  });

  test('reads values from stdin, and none at all', async () => {
    const { out } = await run(['platform', '-f', '-', '-o', 'json'], {
      stdin: 'nats: {enabled: false}\netcd: {enabled: false}\n',
    });
    expect(items(out).some((i) => i.kind === 'StatefulSet')).toBe(false);
    const empty = folderWith({ 'v.yaml': '# nothing\n' });
    expect(await run(['platform', '-f', 'v.yaml'], { cwd: empty })).toMatchObject({ code: 0 });
  });

  test('points at file, line and column of what is wrong, all at once', async () => {
    const cwd = folderWith({
      'base.yaml': 'nats:\n  enabled: true\nplatform: {networkPolicy: {allowAllNamespaces: true}}\n',
      'bad.yaml':
        'nats:\n  enabled: maybe\n\ndynamo-operator:\n  discoveryBackend: consul\n  dynamo:\n    mpiRun:\n      secretName: ""\nnatz: {}\n',
    });
    const { code, out, err } = await run(['platform', '-f', 'base.yaml', '-f', 'bad.yaml', '-o', 'json'], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.split('\n').slice(0, -1)).toEqual([
      'bad.yaml:5:3 dynamo-operator.discoveryBackend: must be one of kubernetes, etcd, got "consul"',
      'bad.yaml:2:3 nats.enabled: must be true or false, got "maybe"',
      'bad.yaml:8:7 dynamo-operator.dynamo.mpiRun.secretName: must not be empty: the operator does not start without it; name a Secret with the keys private.key and private.key.pub',
      'warning: bad.yaml:9:1 natz: is not a known value and has no effect; did you mean nats?',
      '3 problems',
    ]);
  });

  test('warnings pass, and fail with --strict without printing anything', async () => {
    const argv = ['platform', '--set', 'natz=1', '-o', 'json'];
    expect(await run(argv)).toMatchObject({ code: 0 });
    expect(await run([...argv, '--strict'])).toMatchObject({ code: 1, out: '' });
  });

  test.each([
    [['--set', 'a'], "--set 'a': key 'a' has no value"],
    [['--switch', 'no-hoks=on'], 'did you mean no-hooks?'],
    [['--switch', 'no-hooks=maybe'], 'write no-hooks=on or no-hooks=off'],
    [['--profile', 'fast'], 'Allowed choices are secure, parity'],
    [['--release', 'Bad_Name'], 'lower case letters'],
    [['-f', 'missing.yaml'], 'no such file'],
    [['-f', 'list.yaml'], 'must be a map of values'],
    [['-f', 'two.yaml'], 'must contain one document'],
  ])('rejects %j in plain words', async (argv, says) => {
    const cwd = folderWith({ 'list.yaml': '- 1\n', 'two.yaml': 'a: 1\n---\nb: 1\n' });
    const { code, out, err } = await run(['platform', ...argv], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(says);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('renders CRDs on request, before everything else', async () => {
    const { out } = await run(['platform', '--include-crds', '-o', 'json']);
    expect(
      items(out)
        .slice(0, 6)
        .map((i) => i.kind),
    ).toEqual(Array.from({ length: 6 }, () => 'CustomResourceDefinition'));
    expect(items((await run(['platform', '-o', 'json'])).out).some((i) => i.kind === 'CustomResourceDefinition')).toBe(false);
  });

  test('prints a JSON Schema for editors', async () => {
    const { code, out } = await run(['platform', '--schema']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { nats: {}, etcd: {}, 'dynamo-operator': {} },
    });
  });
});

test('--chart gaie renders the inference gateway, and prints its own schema', async () => {
  const sets = ['--set', 'extension.image=example.com/epp:1,dynamoGraphDeploymentName=g'];
  const { code, out } = await run(['platform', '--chart', 'gaie', ...sets, '-n', 'models', '-o', 'json']);
  expect(code).toBe(0);
  expect(items(out).map((i) => i.kind)).toContain('InferencePool');
  const schema = JSON.parse((await run(['platform', '--chart', 'gaie', '--schema'])).out) as object;
  expect(schema).toMatchObject({ title: 'Values of the inference gateway', properties: { extension: {} } });
});

describe('platform -o FOLDER', () => {
  test('writes one file per object whose names sort in order of application', async () => {
    const cwd = folderWith({});
    const { code, out } = await run(['platform', '-o', 'a/b'], { cwd });
    expect(code).toBe(0);
    const files = readdirSync(join(cwd, 'a/b'))
      .filter((f) => f !== '.dynamo-cdk8s-files')
      .sort();
    expect(out.trim().split('\n').sort()).toEqual(files.map((f) => `a/b/${f}`));
    const kinds = files.map((f) => (parse(readFileSync(join(cwd, 'a/b', f), 'utf8')) as Item).kind);
    expect(kinds.indexOf('ServiceAccount')).toBeLessThan(kinds.indexOf('Deployment'));
    expect(kinds.indexOf('Deployment')).toBeLessThan(kinds.indexOf('ValidatingWebhookConfiguration'));
  });

  test('replaces what it wrote before, stale files included', async () => {
    const cwd = folderWith({});
    await run(['platform', '-o', 'out'], { cwd });
    const before = readdirSync(join(cwd, 'out'));
    await run(['platform', '-o', 'out', '--set', 'etcd.enabled=false'], { cwd });
    const after = readdirSync(join(cwd, 'out'));
    expect(after.length).toBeLessThan(before.length);
    expect(after.some((f) => f.includes('etcd'))).toBe(false);
    expect(readdirSync(cwd)).toEqual(['out']);
  });

  test("leaves a user's files alone, whatever they are called", async () => {
    const cwd = folderWith({ 'out/notes.txt': 'mine', 'out/99-mine.yaml': 'mine' });
    await run(['platform', '-o', 'out'], { cwd });
    expect(await run(['platform', '-o', 'out', '--set', 'etcd.enabled=false'], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'out/99-mine.yaml'), 'utf8')).toBe('mine');
    expect(readFileSync(join(cwd, 'out/notes.txt'), 'utf8')).toBe('mine');
  });

  test.each(['--dry-run', '--force'])('rejects %s without a folder, where it would do nothing', async (option) => {
    expect(await run(['platform', option])).toEqual({
      code: 1,
      out: '',
      err: `${option}: needs an output folder; name one with -o\n`,
    });
  });

  test("rejects a folder that holds another release, and leaves that release's files", async () => {
    const cwd = folderWith({});
    await run(['platform', '--release', 'a', '-o', 'out'], { cwd });
    const before = readdirSync(join(cwd, 'out'));
    const { code, err } = await run(['platform', '--release', 'b', '-o', 'out'], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('out: was written by "platform --chart platform --release a", not by');
    expect(readdirSync(join(cwd, 'out'))).toEqual(before);
    expect(await run(['platform', '--release', 'b', '-o', 'out', '--force'], { cwd })).toMatchObject({ code: 0 });
  });

  test('writes nothing when the values are wrong', async () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, 'old'));
    writeFileSync(join(cwd, 'old', '04-service-x.yaml'), 'kept');
    expect(await run(['platform', '-o', 'new', '--set', 'dynamo-operator.discoveryBackend=x'], { cwd })).toMatchObject({
      code: 1,
      out: '',
    });
    expect(await run(['platform', '-o', 'old', '--set', 'dynamo-operator.discoveryBackend=x'], { cwd })).toMatchObject({
      code: 1,
      out: '',
    });
    expect(existsSync(join(cwd, 'new'))).toBe(false);
    expect(readFileSync(join(cwd, 'old', '04-service-x.yaml'), 'utf8')).toBe('kept');
    expect(readdirSync(cwd)).toEqual(['old']);
  });

  test('says so when the folder cannot be written', async () => {
    const cwd = folderWith({ file: 'x' });
    const { code, err } = await run(['platform', '-o', 'file/sub'], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('file/sub: cannot be written');
  });
});

describe('images', () => {
  test('lists every image once, sorted', async () => {
    const { code, out } = await run(['images', '--set', 'grove.enabled=true']);
    expect(code).toBe(0);
    const images = out.trim().split('\n');
    expect(images).toEqual([...new Set(images)].sort());
    expect(images).toContain('nvcr.io/nvidia/ai-dynamo/kubernetes-operator:0.9.1');
    expect(images).toContain('python:3.12-slim');
    expect(images.some((i) => i.includes('grove-initc'))).toBe(true);
    for (const image of images) expect(image).toMatch(/[:@][^/]+$/);
  });

  test('pairs each image with its place in a mirror, and the manifests hold exactly those', async () => {
    const sets = [
      '--set',
      'global.imageRegistry=mirror.example.com/dynamo,grove.enabled=true,kai-scheduler.enabled=true,nats.promExporter.enabled=true',
    ];
    const pairs = (await run(['images', ...sets, '-o', 'mirror'])).out
      .trim()
      .split('\n')
      .map((l) => l.split(' '));
    for (const [from, to] of pairs) {
      expect(from).not.toContain('mirror.example.com');
      expect(to?.startsWith('mirror.example.com/dynamo/')).toBe(true);
    }
    const rendered = (await run(['platform', ...sets])).out;
    const used = new Set([...rendered.matchAll(/^\s*(?:- )?image: (\S+)$/gm)].map((m) => m[1]));
    for (const image of used) expect(pairs.map(([, to]) => to)).toContain(image);
    expect(used.size).toBeGreaterThan(5);
  });

  test('pins digests that the values give', async () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    const cwd = folderWith({ 'v.yaml': `platform:\n  imageDigests:\n    nats:2.10.21-alpine: ${digest}\n` });
    const { out } = await run(['images', '-f', 'v.yaml'], { cwd });
    expect(out).toContain(`nats:2.10.21-alpine@${digest}\n`);
    expect((await run(['platform', '-f', 'v.yaml'], { cwd })).out).toContain(`image: nats:2.10.21-alpine@${digest}`);
  });

  test('tells as JSON who uses what', async () => {
    const { out } = await run(['images', '-o', 'json']);
    expect(JSON.parse(out)).toContainEqual({
      source: 'nats:2.10.21-alpine',
      image: 'nats:2.10.21-alpine',
      usedBy: ['StatefulSet/dynamo-platform-nats'],
    });
  });
});
