import { expect, test } from 'vitest';
import { run } from '../cli/run.ts';

const wrong = JSON.stringify({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'g' },
  spec: { services: { W: { replicas: -1 } } },
});
const commands: readonly (readonly string[])[] = [
  ['validate', '-f', 'in.yaml'],
  ['lint', '-f', 'in.yaml'],
  ['render', '-f', 'in.yaml'],
  ['fit', '-f', 'in.yaml', '--nodes', '1', '--gpus-per-node', '8'],
  ['normalize', '-f', 'in.yaml'],
  ['import', '-f', 'in.yaml'],
  ['gitops', '--graph', 'in.yaml', '--layout', 'plain', '-o', 'out'],
];

test.each([
  ['in the items of a ConfigMap', `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"items":[${wrong}]}`],
  ['in a list of lists', `{"apiVersion":"v1","kind":"List","items":[{"kind":"List","apiVersion":"v1","items":[${wrong}]}]}`],
  ['behind a carriage return', `# c\r--- ${wrong}\r`],
])('every command sees a wrong graph %s', async (_, text) => {
  for (const argv of commands) {
    const { code, out, err } = await run(argv, { files: { 'in.yaml': text } });
    expect(out + err, argv[0]).toContain('spec.services.W.replicas');
    expect(code, argv[0]).toBe(1);
  }
});

test.each([
  ['nothing', ''],
  ['comments', '# a\n---\n# b\n'],
  ['an empty list', '{"apiVersion":"v1","kind":"List","items":[]}'],
])('an input that holds %s is told, and fails with --strict', async (_, text) => {
  for (const name of ['validate', 'lint', 'render']) {
    const { code, out, err } = await run([name, '-f', 'in.yaml', '--strict'], { files: { 'in.yaml': text } });
    expect(out + err, name).toMatch(/contains no object|nothing to render/);
    expect(code, name).toBe(1);
  }
});

const hidden = { etcd: { enabled: false }, nats: { enabled: false } };

test.each<[string, readonly string[], string]>([
  ['in a file', ['-f', 'in.json'], '{"__proto__":HIDDEN}'],
  ['in two files', ['-f', 'in.json', '-f', 'in.json'], '{"__proto__":HIDDEN}'],
  ['by --set', ['--set', '__proto__.etcd.enabled=false'], '{}'],
  ['by --set-json', ['--set-json', `__proto__=${JSON.stringify(hidden)}`], '{}'],
])('values below __proto__ are told and have no effect: %s', async (_, argv, text) => {
  const files = { 'in.json': text.replace('HIDDEN', JSON.stringify(hidden)) };
  const plain = await run(['platform']);
  const { code, out, err } = await run(['platform', ...argv], { files });
  expect(out).toBe(plain.out);
  expect(err).toContain('__proto__: is not a known value and has no effect');
  expect(code).toBe(0);
  expect((await run(['platform', '--strict', ...argv], { files })).code).toBe(1);
});

test.each(['constructor', 'toString', 'nats.valueOf', 'global.hasOwnProperty'])('--set takes %s for a name', async (name) => {
  const { code, err } = await run(['platform', '--set', `${name}.x=1`]);
  expect(err).not.toContain('needs a map');
  if (!name.startsWith('global')) expect(err).toContain(`${name}: is not a known value and has no effect`);
  expect(code).toBe(0);
});
