import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { objectAt, type Json } from '../../lib/json/index.ts';
import { drawGraph, viewLiveGraph } from '../../lib/status/index.ts';
import { run } from '../cli/run.ts';
import { graph, node, others, values } from './documents.ts';
import { changeStrings, countStrings } from './string-positions.ts';

const folder = mkdtempSync(join(tmpdir(), 'printed-text-'));
afterAll(() => rmSync(folder, { recursive: true }));
const isLong = process.env['LONG'] !== undefined;
const runs = isLong ? 400 : 20;

/** Everything that makes a terminal or a log do something. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const painted = /\u001b\[(?:0|1|2|3[1-3])m/g;
const hostile = fc.constantFrom(
  '\u001b[2J',
  '\u001b[31m',
  '\u001b]0;title\u0007',
  '\n::stop-commands::x',
  '\r::error::x',
  '\u007f\u009b31m',
  '\u2028INJECTED\u2029',
  '\u202eevil\u202c',
  '\u2066a\u2069',
  '\u0000',
);
const change = fc.record({ text: hostile, at: fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }), whole: fc.boolean() });

function changed(document: Json, { text, at, whole }: { text: string; at: readonly number[]; whole: boolean }): string {
  const count = countStrings(document);
  const positions = new Set(at.map((index) => index % count));
  return JSON.stringify(changeStrings(document, positions, (old) => (whole ? text : `${old}${text}`)));
}

/** Lines that a control character of the input could have made. */
function forged(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^(?:::(?:stop|error::x)|INJECTED)/.test(line));
}

const reports = ['text', 'json', 'github', 'sarif'].flatMap((format) => [
  ['validate', '-f', 'in.json', '-o', format],
  ['lint', '-f', 'in.json', '-o', format],
]);
const printed: readonly (readonly string[])[] = [
  ...reports,
  ...['name', 'tree'].map((format) => ['render', '-f', 'in.json', '-o', format]),
  ['fit', '-f', 'in.json', '--nodes', 'nodes.json'],
];
const data: readonly (readonly string[])[] = [
  ...['yaml', 'json'].map((format) => ['render', '-f', 'in.json', '-o', format]),
  ...['yaml', 'json'].map((format) => ['normalize', '-f', 'in.json', '-o', format]),
  ['fit', '-f', 'in.json', '--nodes', 'nodes.json', '-o', 'json'],
  ['import', '-f', 'in.json'],
];

async function check(argv: readonly string[], isData: boolean): Promise<void> {
  for (const colour of isData ? [false] : [false, true]) {
    const { code, out, err } = await run(argv, { cwd: folder, colour });
    const what = `${argv.join(' ')} ${colour ? 'in colour' : ''}`;
    for (const text of [out, err]) expect(text.replaceAll(colour ? painted : /(?!)/g, ''), what).not.toMatch(controls);
    expect(forged(isData ? err : out + err), what).toEqual([]);
    expect([0, 1], what).toContain(code);
  }
}

test('whatever names and values of manifests hold, only text is printed', async () => {
  const documents = fc.tuple(fc.constantFrom(graph, graph, ...others), change, change);
  await fc.assert(
    fc.asyncProperty(documents, async ([document, ofDocument, ofNode]) => {
      writeFileSync(join(folder, 'in.json'), changed(document, ofDocument));
      writeFileSync(join(folder, 'nodes.json'), changed(node, ofNode));
      for (const argv of printed) await check(argv, false);
      for (const argv of data) await check(argv, true);
    }),
    { numRuns: runs },
  );
});

/** Graphs with a text in names that every report shows. */
const samples: readonly (readonly [string, (text: string) => Json])[] = [
  ['in unknown keys', (text) => ({ ...objectAt(graph), [`key${text}`]: { [`inner${text}`]: text } })],
  [
    'in names of services',
    (text) => JSON.parse(JSON.stringify(graph).replace('"Worker"', JSON.stringify(`Worker${text}`))) as Json,
  ],
];

test.each(samples)('prints only text of a manifest that has control characters %s', async (_, sample) => {
  for (const text of ['\u001b[2J', '\n::stop-commands::x', '\u202eevil\u202c', '\u2028INJECTED']) {
    writeFileSync(join(folder, 'in.json'), JSON.stringify(sample(text)));
    writeFileSync(join(folder, 'nodes.json'), JSON.stringify(node));
    for (const argv of printed) await check(argv, false);
  }
});

test('whatever values of the platform and graphs hold, only text is printed and written', async () => {
  // the chart renders the platform a thousand times
  const layouts = fc.constantFrom('plain', 'kustomize', 'argocd', 'flux', ...(isLong ? ['helm'] : []));
  await fc.assert(
    fc.asyncProperty(change, change, layouts, async (ofValues, ofGraph, layout) => {
      writeFileSync(join(folder, 'values.json'), changed(values, ofValues));
      writeFileSync(join(folder, 'in.json'), changed(graph, ofGraph));
      const out = mkdtempSync(join(folder, 'out-'));
      const repository = ['--repo-url', 'https://git.example.com/a.git'];
      for (const argv of [
        ['platform'],
        ['images'],
        ['images', '-o', 'json'],
        ['images', '-o', 'mirror'],
        ['platform', '-o', 'json'],
      ])
        await check([...argv, '-f', 'values.json'], argv[0] === 'platform');
      for (const file of ['values.json', 'good.json']) {
        const argv = ['gitops', '-f', file, '--graph', 'in.json', '--layout', layout, '-o', out, '--force', '--allow-secrets'];
        await check([...argv, ...repository], false);
      }
      for (const entry of readdirSync(out, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) expect(readFileSync(join(entry.parentPath, entry.name), 'utf8'), entry.name).not.toMatch(controls);
      rmSync(out, { recursive: true });
    }),
    { numRuns: isLong ? 60 : 4 },
  );
});

test('names of files are printed as text, and never as a command of a log', async () => {
  for (const name of ['a\u001b[2J.yaml', 'b\n::stop-commands::x.yaml', '::error::x.yaml', 'c\u202e.yaml', '##[group]x.yaml']) {
    writeFileSync(join(folder, name), 'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nspec: {a: 1}\n');
    for (const command of ['validate', 'lint', 'render', 'normalize', 'import', 'platform', 'fit'])
      for (const colour of [false, true]) {
        const more = command === 'fit' ? ['--nodes', '1', '--gpus-per-node', '1'] : [];
        const { out, err } = await run([command, '-f', name, ...more], { cwd: folder, colour });
        expect((out + err).replaceAll(painted, ''), command).not.toMatch(controls);
        expect(
          (out + err)
            .replaceAll(painted, '')
            .split('\n')
            .filter((line) => /^(?:::|##\[)/.test(line)),
          command,
        ).toEqual([]);
      }
    rmSync(join(folder, name));
  }
});

test.each<readonly string[]>([
  ['gitops', '--layout', 'flux', '-o', 'o', '--repo-url', 'X'],
  ['gitops', '--layout', 'argocd', '-o', 'o', '--repo-url', 'https://git.example.com/a', '--path', '../X', '--revision', 'a X'],
  ['gitops', '--layout', 'plain', '-o', 'o', '--env', 'X', '--env', 'a=X', '--env-server', 'a=X', '--env-kubeconfig', 'a=X'],
  ['gitops', '--layout', 'helm', '-o', 'o', '--chart-version', 'X'],
  ['platform', '--release', 'X', '-n', 'X', '--set', 'X=1', '--set-json', 'a=X', '--switch', 'X=on', '--kube-version', 'X'],
  ['lint', '-f', 'X'],
  ['lint', '--explain', 'X'],
  ['lint', '-f', 'good.json', 'X'],
  ['render', '-f', 'good.json', '--values', 'X', '--release', 'X', '-n', 'X'],
  ['render', '-f', 'good.json', '--orchestrator', 'X'],
  ['lint', '--X'],
  ['X'],
  ['fit', '-f', 'good.json', '--nodes', 'X', '--gpus-per-node', '1'],
])('options are printed as text: %s %s', async (...argv) => {
  for (const text of ['\u001b[2J', '\n::stop-commands::x', '\u202eevil'])
    await check(
      argv.map((word) => word.replace('X', () => text)),
      false,
    );
});

test('whatever live objects hold, status draws only text', () => {
  const component: Json = {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoComponentDeployment',
    metadata: { name: 'g-worker', labels: { 'nvidia.com/dynamo-component': 'Worker' } },
    status: { conditions: [{ type: 'Available', status: 'False', reason: 'Waiting', message: 'waits' }] },
  };
  const pod: Json = {
    metadata: { name: 'p', labels: { 'nvidia.com/dynamo-component': 'Worker' } },
    spec: { nodeName: 'n', containers: [{ name: 'main' }] },
    status: { phase: 'Pending', containerStatuses: [{ name: 'main', state: { waiting: { reason: 'Back', message: 'off' } } }] },
  };
  const event: Json = {
    type: 'Warning',
    reason: 'Failed',
    message: 'no',
    involvedObject: { kind: 'Pod', name: 'p' },
    lastTimestamp: '2026-01-01T00:00:00Z',
  };
  const live: Json = {
    ...(graph as object),
    status: { state: 'failed', conditions: [{ type: 'Ready', status: 'False', message: 'x' }] },
  };
  fc.assert(
    fc.property(change, change, change, change, (a, b, c, d) => {
      const read = (document: Json, by: typeof a): never => JSON.parse(changed(document, by)) as never;
      const view = viewLiveGraph({
        graph: read(live, a),
        components: [read(component, b)],
        pods: [read(pod, c)],
        events: [read(event, d)],
      });
      for (const colour of [false, true]) {
        const text = drawGraph(view, { colour, now: Date.parse('2026-01-02') });
        expect(text.replaceAll(colour ? painted : /(?!)/g, '')).not.toMatch(controls);
        expect(forged(text)).toEqual([]);
      }
      // The colours are ours alone: as many as without anything hostile in it.
      const mine = drawGraph(view, { colour: true, now: 0 }).match(painted)?.length ?? 0;
      expect(mine % 2).toBe(0);
    }),
    { numRuns: 40 * runs },
  );
});

writeFileSync(join(folder, 'good.json'), '{}');
