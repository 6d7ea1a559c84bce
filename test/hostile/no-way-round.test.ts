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
    expect(out + err, name).toMatch(/holds no object|nothing to render/);
    expect(code, name).toBe(1);
  }
});
