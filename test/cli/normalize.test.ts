import { expect, test } from 'vitest';
import { run } from './run.ts';

const graph = `# a graph
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata:
  name: g
spec:
  services:
    Worker:
      multinode: {}
      labels: null
`;
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata: null\n';

test('prints objects as stored, others unchanged, in their order', async () => {
  const files = { 'a.yaml': `${configMap}---\n${graph}` };
  expect(await run(['normalize', '-f', 'a.yaml'], { files })).toMatchInlineSnapshot(`
    {
      "code": 0,
      "err": "",
      "out": "apiVersion: v1
    kind: ConfigMap
    metadata:
      name: c
    data: null
    ---
    apiVersion: nvidia.com/v1alpha1
    kind: DynamoGraphDeployment
    metadata:
      name: g
    spec:
      services:
        Worker:
          multinode:
            nodeCount: 2
    ",
    }
  `);
});

test('prints one object as it is, and several as a List', async () => {
  const one = await run(['normalize', '-f', '-', '-o', 'json'], { stdin: graph });
  expect(JSON.parse(one.out)).toMatchObject({ kind: 'DynamoGraphDeployment' });
  const list = JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [JSON.parse(one.out), { apiVersion: 'v1', kind: 'Secret' }],
  });
  const two = await run(['normalize', '-f', '-', '-o', 'json'], { stdin: list });
  expect(JSON.parse(two.out)).toEqual({
    apiVersion: 'v1',
    kind: 'List',
    items: [JSON.parse(one.out), { apiVersion: 'v1', kind: 'Secret' }],
  });
});

test('keeps every digit of great integers', async () => {
  const worker =
    'apiVersion: nvidia.com/v1alpha1\nkind: DynamoWorkerMetadata\nmetadata: {name: w}\nspec: {data: {seed: 9007199254740993}}\n';
  expect((await run(['normalize', '-f', '-', '-o', 'json'], { stdin: worker })).out).toContain('"seed": 9007199254740993');
  expect((await run(['normalize', '-f', '-'], { stdin: worker })).out).toContain('seed: 9007199254740993');
});

test('warns of dropped fields, which --strict makes an error', async () => {
  const image = '      extraPodSpec: {mainContainer: {image: "a/b:1"}}\n';
  const files = { 'g.yaml': `${graph.replace('multinode: {}', 'multiNode: {}')}${image}` };
  const warning = 'g.yaml:9:7 warning: spec.services.Worker.multiNode: unknown field, did you mean multinode\n';
  expect(await run(['normalize', '-f', 'g.yaml'], { files })).toMatchObject({ code: 0, err: warning });
  expect(await run(['normalize', '-f', 'g.yaml', '--strict'], { files })).toMatchObject({ code: 1, err: warning });
});

test('rejects what the API server would refuse, with all reasons and no output', async () => {
  const files = { 'g.yaml': graph.replace('multinode: {}', 'multinode: {nodeCount: 1}\n      replicas: "2"') };
  expect(await run(['normalize', '-f', 'g.yaml'], { files })).toMatchInlineSnapshot(`
    {
      "code": 1,
      "err": "g.yaml:9:19 spec.services.Worker.multinode.nodeCount: must be 2 or more, got 1
    g.yaml:10:7 spec.services.Worker.replicas: must be an integer, got "2": remove the quotes
    2 errors; nothing was printed
    ",
      "out": "",
    }
  `);
});

test('prints an object that only the webhook rejects, and fails', async () => {
  const stdin = graph.replace(/ {2}services:[\s\S]*/, '  backendFramework: vllm\n');
  const { code, out, err } = await run(['normalize', '-f', '-', '-o', 'json'], { stdin });
  expect(JSON.parse(out)).toEqual({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g' },
    spec: { backendFramework: 'vllm' },
  });
  expect({ code, err }).toEqual({
    code: 1,
    err: '<stdin>:6:1 spec.services: must have at least one service\n1 error: the cluster rejects what was printed\n',
  });
});

test('keeps a namespace and adds none', async () => {
  const read = async (stdin: string) =>
    (JSON.parse((await run(['normalize', '-f', '-', '-o', 'json'], { stdin })).out) as { metadata: unknown }).metadata;
  expect(await read(graph)).toEqual({ name: 'g' });
  expect(await read(graph.replace('name: g', 'name: g\n  namespace: prod'))).toEqual({ name: 'g', namespace: 'prod' });
});

test.each([['hello'], ['- a\n- b'], ['apiVersion: v1\nkind: List\nitems: [1]']])(
  'rejects %j, which is no object',
  async (stdin) => {
    expect(await run(['normalize', '-f', '-'], { stdin })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('must be an object') as string,
    });
  },
);

test('rejects a file that cannot be read', async () => {
  expect(await run(['normalize', '-f', 'missing.yaml'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('no such file') as string,
  });
});
