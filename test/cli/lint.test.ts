import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintRules } from '../../lib/lint/index.ts';
import { folderWith, run } from './run.ts';

const image = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0';
const graph = `# my graph
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata:
  name: demo
spec:
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec: {mainContainer: {image: ${image}}}
    Worker:
      componentType: main   # an old type
      replicas: 1
      envFromSecret: hf-token-secret
      resources:
        limits:
          gpu: "1"
      extraPodSpec:
        mainContainer:
          image: ${image}
          command: [python3, -m, dynamo.vllm]
          args: [--model, Qwen/Qwen3-0.6B]
`;
const broken = graph.replace('componentType: main ', 'componentType: worker ').replace(`          image: ${image}\n`, '');

test('tells every finding with file, line, field, message and rule on stdout, and counts on stderr', async () => {
  const { code, out, err } = await run(['lint', '-f', 'g.yaml'], { files: { 'g.yaml': graph } });
  expect({ code, out, err }).toEqual({
    code: 1,
    out: 'g.yaml:13:7 spec.services.Worker.componentType: the operator does not know this componentType, removed in 0.4.1, so the pod gets no port, no probes and no engine configuration, got "main"; allowed: frontend, worker, prefill, decode, planner, epp, default; set it to worker (DYN-ROLE-003)\n',
    err: '1 error: 1 object in 1 file\n',
  });
});

test('foretells what the API server refuses of the rendered objects, at the line that causes it', async () => {
  const { code, out } = await run(['lint', '-f', '-'], { stdin: broken });
  expect(code).toBe(1);
  expect(out).toMatch(
    /^<stdin>:\d+:\d+ spec\.services\.Worker\.extraPodSpec\.mainContainer\.image: the API server refuses Deployment demo-worker: spec\.template\.spec\.containers\[0\]\.image: Required value; .*\(DYN-API-003\)\n$/,
  );
});

test('repairs in place, says what it did, and finds nothing to repair the second time', async () => {
  const cwd = folderWith({ 'g.yaml': graph });
  const first = await run(['lint', '--fix', '-f', 'g.yaml'], { cwd });
  expect(first).toEqual({
    code: 0,
    out: '',
    err: 'fixed g.yaml:13 DYN-ROLE-003: set componentType to worker\nno problems: 1 object in 1 file\n',
  });
  expect(readFileSync(join(cwd, 'g.yaml'), 'utf8')).toBe(graph.replace('componentType: main ', 'componentType: worker '));
  expect((await run(['lint', '--fix', '-f', 'g.yaml'], { cwd })).err).toBe('no problems: 1 object in 1 file\n');
});

test.each([
  [
    'json',
    (out: string) => (JSON.parse(out) as { findings: { id: string; line: number }[] }).findings.map((f) => [f.id, f.line]),
  ],
  ['github', (out: string) => [[/title=([^:]+)::/.exec(out)?.[1], Number(/line=(\d+)/.exec(out)?.[1])]]],
  [
    'sarif',
    (out: string) =>
      (
        JSON.parse(out) as {
          runs: { results: { ruleId: string; locations: { physicalLocation: { region: { startLine: number } } }[] }[] }[];
        }
      ).runs[0]?.results.map((r) => [r.ruleId, r.locations[0]?.physicalLocation.region.startLine]),
  ],
])('reports as %s', async (format, read) => {
  const { out } = await run(['lint', '-f', 'g.yaml', '-o', format], { files: { 'g.yaml': graph } });
  expect(read(out)).toEqual([['DYN-ROLE-003', 13]]);
});

test('counts warnings only when told to be strict', async () => {
  const files = { 'g.yaml': graph.replace('      componentType: main   # an old type\n', '') };
  expect((await run(['lint', '-f', 'g.yaml'], { files })).code).toBe(0);
  expect((await run(['lint', '-f', 'g.yaml', '--strict'], { files })).code).toBe(1);
});

test('takes the settings of the cluster', async () => {
  const files = {
    'g.yaml': graph
      .replace('componentType: main ', 'componentType: worker ')
      .replace('gpu: "1"', 'gpu: "16"')
      .replace('Qwen/Qwen3-0.6B', 'x, --tensor-parallel-size, "16"'),
  };
  const { out } = await run(['lint', '-f', 'g.yaml', '--gpus-per-node', '8', '--release', '1.0.0'], { files });
  expect(out).toContain('a pod needs more GPUs than a node has, got 16 of 8');
  expect(out).toContain('image is not of the platform release 1.0.0');
});

test('finds what a running graph cannot take', async () => {
  const fine = graph.replace('componentType: main ', 'componentType: worker ');
  const { out } = await run(['lint', '-f', 'new.yaml', '--previous', 'old.yaml'], {
    files: { 'new.yaml': fine, 'old.yaml': fine.replace('    Worker:', '    Old:') },
  });
  expect(out).toContain('services of an existing graph cannot be added or removed, got +Worker -Old');
});

test('compares a graph with the one of its namespace, wherever that is written', async () => {
  const fine = graph.replace('componentType: main ', 'componentType: worker ');
  const there = fine.replace('  name: demo', '  name: demo\n  namespace: there').replace('    Worker:', '    Old:');
  const files = { 'new.yaml': fine, 'old.yaml': `${there}---\n${fine.replace('    Worker:', '    Older:')}` };
  const { out } = await run(['lint', '-f', 'new.yaml', '--previous', 'old.yaml'], { files });
  expect(out).toContain('got +Worker -Older');
  expect((await run(['lint', '-f', 'new.yaml', '--previous', 'old.yaml', '-n', 'there'], { files })).out).toContain(
    'got +Worker -Old;',
  );
  expect((await run(['lint', '-f', '-', '--previous', '-'])).err).toContain('only one of -f and --previous can read stdin');
});

test('explains how a rule about changes is used', async () => {
  const { out } = await run(['lint', '--explain', 'DYN-LIFE-002']);
  expect(out).toContain('lint -f NEW --previous OLD');
  expect(out).toContain('\nPreviously applied:\n');
});

test('counts what was suppressed', async () => {
  const files = {
    'g.yaml': graph.replace('  name: demo\n', "  name: demo\n  annotations: {dynamo-cdk8s/suppress: 'DYN-ROLE-003=old'}\n"),
  };
  expect((await run(['lint', '-f', 'g.yaml'], { files })).err).toBe('no problems: 1 object in 1 file\n1 finding suppressed\n');
});

test.each([
  ['replicas as a string', 'replicas: 1', 'replicas: "1"', 'spec.services.Frontend.replicas: must be an integer'],
  ['what the webhook refuses', 'replicas: 1', 'replicas: 1\n      sharedMemory: {}', 'sharedMemory.size: is required'],
  ['what cannot be rendered', 'gpu: "1"', 'gpu: two', 'spec.services.Worker.resources.limits.gpu: '],
  ['a misspelt kind', 'kind: DynamoGraphDeployment', 'kind: DynamoGraphDeploymnt', 'did you mean DynamoGraphDeployment'],
])('rejects %s, says why, and adds no advice on it', async (_what, from, to, message) => {
  const fine = graph.replace('componentType: main ', 'componentType: worker ');
  const { code, out, err } = await run(['lint', '-f', 'g.yaml'], { files: { 'g.yaml': fine.replace(from, to) } });
  expect(out).toContain(message);
  expect(out.split('\n')).toHaveLength(2);
  expect({ code, err }).toEqual({ code: 1, err: '1 error: 1 object in 1 file\n' });
});

test('lists all rules and explains one', async () => {
  expect((await run(['lint', '--rules'])).out.trimEnd().split('\n')).toHaveLength(lintRules.length);
  expect((await run(['lint', '--explain', 'dyn-gpu-001'])).out).toMatch(/^DYN-GPU-001 \(error\): GPUs of the pods/);
  expect(await run(['lint', '--explain', 'DYN-X-1'])).toEqual({
    code: 1,
    out: '',
    err: 'no rule DYN-X-1; dynamo-cdk8s lint --rules lists them\n',
  });
});

test.each([
  [['lint'], 'nothing to lint'],
  [['lint', '--fix', '-f', '-'], '--fix changes files in place'],
  [['lint', '-f', 'g.yaml', '--gpus-per-node', 'x'], 'must be a whole number'],
])('refuses %j as a usage error', async (argv, message) => {
  const { code, err } = await run(argv, { files: { 'g.yaml': graph } });
  expect(code).toBe(1);
  expect(err).toContain(message);
});

test('says of a Helm template that it is one, once', async () => {
  const files = { 'g.yaml': '{{- if .Values.on }}\nkind: A\nmetadata:\n  name: {{ .Release.Name }}\n{{- end }}\n' };
  for (const command of ['lint', 'validate', 'render']) {
    const { code, out, err } = await run([command, '-f', 'g.yaml'], { files });
    expect([command, code]).toEqual([command, 1]);
    expect((out + err).match(/g\.yaml:1:1 .*this is a Helm template, not YAML yet/g)).toHaveLength(1);
    expect(out + err).not.toContain('cannot start a value');
  }
});

test('says of a placeholder that it has to be filled in, and of a field which release has it', async () => {
  const text = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: { name: demo, namespace: <your-namespace> }
spec: { services: { W: { replicas: 1, pvc: { name: a }, failover: { enabled: true } } } }
`;
  const { out } = await run(['lint', '-f', 'g.yaml'], { files: { 'g.yaml': text } });
  expect(out).toMatch(/metadata\.namespace: .*got "<your-namespace>": the value is a placeholder; substitute it first/);
  expect(out).toMatch(/spec\.services\.W\.pvc: unknown field: removed in 0\.6\.0; declare the claim in spec\.pvcs/);
  expect(out).toMatch(/spec\.services\.W\.failover: unknown field: added in 1\.1\.1, release 0\.9 drops it/);
});

test('repairs every document of a file, and every item of a list, whatever its kind', async () => {
  const repaired = graph.replace('componentType: main ', 'componentType: worker ');
  const named = (text: string, name: string): string => text.replace('name: demo', `name: ${name}`);
  const item = (text: string): string => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`;
  const file = (text: string): string =>
    [
      named(text, 'a'),
      named(text, 'b'),
      `apiVersion: v1\nkind: List\nitems:\n${item(named(text, 'c'))}${item(named(text, 'd'))}`,
      `apiVersion: v1\nkind: ConfigMap\nitems:\n${item(named(text, 'e'))}`,
      named(text, 'f'),
    ].join('---\n');
  const cwd = folderWith({ 'g.yaml': file(graph) });
  const { err } = await run(['lint', '--fix', '-f', 'g.yaml'], { cwd });
  expect(err.match(/DYN-ROLE-003: set componentType to worker/g)).toHaveLength(6);
  expect(readFileSync(join(cwd, 'g.yaml'), 'utf8')).toBe(file(repaired));
});
