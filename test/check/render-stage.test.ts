import { describe, expect, test } from 'vitest';
import { judgeDocuments, renderDocuments, renderer } from '../../lib/check/index.ts';
import type { RenderSettings } from '../../lib/check/index.ts';
import type { Json, JsonObject } from '../../lib/json/index.ts';
import { chartConfig } from '../../lib/render/index.ts';

const apiVersion = 'nvidia.com/v1alpha1';
const main: JsonObject = {
  extraPodSpec: { mainContainer: { image: 'i:1', command: ['python3', '-m', 'dynamo.vllm'], args: ['--x'] } },
};
const web: JsonObject = { componentType: 'frontend', ...main };
const spread: JsonObject = { componentType: 'worker', multinode: { nodeCount: 2 }, resources: { limits: { gpu: '1' } }, ...main };

const graph = (services: JsonObject, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'g', ...metadata },
  spec: { services, ...more },
});

const component = (spec: JsonObject): JsonObject => ({
  apiVersion,
  kind: 'DynamoComponentDeployment',
  metadata: { name: 'c' },
  spec,
});

function render(value: Json, more: Partial<RenderSettings> = {}, beside: readonly Json[] = []) {
  const settings = { namespace: 'team', ...more };
  const [document] = renderDocuments(
    judgeDocuments(
      [value, ...beside].map((one) => ({ value: one })),
      settings,
    ),
    settings,
  );
  if (document === undefined) throw new Error('not rendered');
  return document;
}

const kinds = (value: Json, more?: Partial<RenderSettings>): ReadonlySet<string> =>
  new Set(render(value, more).rendering?.objects.map(({ object }) => object.kind));

describe('what is rendered', () => {
  test('includes what has warnings', () => {
    const warned = render(graph({ Web: { ...web, unknown: 1 } }));
    expect(warned.findings.map(({ severity }) => severity)).toContain('warning');
    expect(warned.rendering?.objects.length).toBeGreaterThan(0);
  });

  test('is what schema and webhook accept of the kinds that render to something', () => {
    const request = {
      apiVersion,
      kind: 'DynamoGraphDeploymentRequest',
      metadata: { name: 'r' },
      spec: { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'p:1', config: {} } },
    };
    for (const value of [graph({ Web: web }), component(web), request])
      expect(render(value).rendering?.objects.length).toBeGreaterThan(0);
    const model = { apiVersion, kind: 'DynamoModel', metadata: { name: 'm' }, spec: { modelName: 'm', baseModelName: 'b' } };
    const refused = graph({ Web: { ...web, sharedMemory: {} } });
    const odd = graph({ Web: { ...web, replicas: 'x' } });
    for (const value of [model, refused, odd, { apiVersion: 'v1', kind: 'Pod' }])
      expect(render(value)).not.toHaveProperty('rendering');
  });

  test('lands in the namespace that is given, by the flags that are given, among the documents beside it', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'pull' },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': Buffer.from('{"auths":{"nvcr.io":{}}}').toString('base64') },
    };
    const text = (more?: Partial<RenderSettings>, beside?: readonly Json[]): string =>
      JSON.stringify(
        render(graph({ Web: { ...web, extraPodSpec: { mainContainer: { image: 'nvcr.io/a:1' } } } }), more, beside).rendering
          ?.objects,
      );
    expect(text()).toContain('"namespace":"team"');
    expect(text()).not.toContain('"imagePullSecrets":[{"name":"pull"}');
    expect(text({}, [secret])).toContain('"imagePullSecrets":[{"name":"pull"}');
    expect(text({}, [{ ...secret, metadata: { name: 'pull', namespace: 'other' } }])).not.toContain('"name":"pull"');
    expect(text()).not.toContain('nats://elsewhere');
    expect(text({ config: { ...chartConfig(), natsAddress: 'nats://elsewhere' } })).toContain('nats://elsewhere');
  });
});

describe('a graph that spans nodes', () => {
  const spanning = graph({ Worker: spread });
  const noGpu = graph({ Worker: { ...spread, resources: {} } });

  test('uses what the cluster has', () => {
    expect(kinds(spanning, { orchestrator: 'lws' })).toContain('LeaderWorkerSet');
    expect(kinds(spanning, { orchestrator: 'grove' })).toContain('PodCliqueSet');
    expect(kinds(spanning, { apiGroups: new Set(['grove.io']) })).toContain('PodCliqueSet');
    expect(render(spanning, { orchestrator: 'none' }).findings).toMatchObject([
      { stage: 'render', severity: 'error', id: 'no_orchestrator' },
    ]);
    expect(render(spanning, { apiGroups: new Set() }).findings).toMatchObject([{ stage: 'render', id: 'no_orchestrator' }]);
  });

  test('is taken to have LeaderWorkerSets where nobody says', () => {
    expect(kinds(spanning)).toContain('LeaderWorkerSet');
    expect(kinds(component(spread))).toContain('LeaderWorkerSet');
    expect(kinds(graph({ Web: web }))).not.toContain('LeaderWorkerSet');
  });

  test('is taken to have Grove where only that can run it, with a word', () => {
    const { rendering, findings } = render(noGpu);
    expect(rendering?.objects.map(({ object }) => object.kind)).toContain('PodCliqueSet');
    expect(rendering?.issues).toEqual([]);
    expect(findings).toMatchObject([
      {
        stage: 'render',
        severity: 'warning',
        path: ['spec', 'services', 'Worker', 'resources', 'limits', 'gpu'],
        message: expect.stringMatching(
          /; only Grove can run this; set --orchestrator to the orchestrator of the cluster$/,
        ) as string,
      },
    ]);
    expect(render(noGpu, { orchestrator: 'lws' }).findings).toMatchObject([{ stage: 'render', severity: 'error' }]);
    expect(render(noGpu, { orchestrator: 'grove' }).findings).toEqual([]);
  });

  test('is refused where neither can run it', () => {
    const mismatched = graph({ Worker: spread }, { backendFramework: 'sglang' });
    const { findings } = render(mismatched);
    expect(findings.map(({ stage, severity, id }) => [stage, severity, id])).toEqual([['render', 'error', 'framework_mismatch']]);
    expect(kinds(mismatched)).not.toContain('PodCliqueSet');
  });

  test('has the quirks that hold for both', () => {
    const labelled = graph({ Worker: { ...spread, labels: { a: 'b' } } });
    const quirks = (more?: Partial<RenderSettings>) => render(labelled, more).rendering?.quirks.map(({ id }) => id) ?? [];
    const [lws, grove] = [quirks({ orchestrator: 'lws' }), quirks({ orchestrator: 'grove' })];
    expect(lws).not.toEqual(grove);
    expect(quirks()).toEqual(lws.filter((id) => grove.includes(id)));
    // Also where only Grove can run it: its rendering is Grove's, and what LeaderWorkerSets would do still counts.
    const onGrove = { ...labelled, spec: { services: { Worker: { ...spread, labels: { a: 'b' }, resources: {} } } } };
    const both = (more?: Partial<RenderSettings>) => render(onGrove, more).rendering?.quirks.map(({ id }) => id) ?? [];
    expect(both()).toEqual(both({ orchestrator: 'grove' }).filter((id) => both({ orchestrator: 'lws' }).includes(id)));
  });
});

describe('what the API server will reject', () => {
  const rejected = graph({ Web: web }, {}, { name: '0-day' });

  test('is told of the objects, unless it is accepted', () => {
    const { findings, rendering } = render(rejected);
    expect(findings).toMatchObject([{ stage: 'rejection', severity: 'error', id: 'DYN-API-001' }]);
    expect(rendering?.rejections).toHaveLength(1);
    const judged = judgeDocuments([{ value: rejected }], { namespace: 'team' });
    const [document] = judged.map((one) =>
      renderer(judged, { namespace: 'team' })(one, [{ id: 'DYN-API-001', reason: 'renamed' }]),
    );
    expect(document?.findings).toEqual([]);
    expect(document?.rendering?.rejections).toHaveLength(1);
  });
});

describe('the restart of a graph read back from a cluster', () => {
  const restart = { id: 'r2', strategy: { type: 'Sequential', order: ['A', 'B', 'C'] } };
  const status = { state: 'pending', restart: { observedID: 'r2', phase: 'Restarting', inProgress: ['B'] } };
  const live = (more: JsonObject, metadata: JsonObject = { uid: 'u' }): JsonObject => ({
    ...graph({ A: web, B: main, C: main }, { restart }, metadata),
    ...more,
  });
  const restarted = (value: JsonObject): readonly unknown[] => {
    const objects = render(value, { orchestrator: 'none' }).rendering?.objects ?? [];
    return [...new Set(objects.filter(({ object }) => JSON.stringify(object).includes('r2')).map(({ origin }) => origin.at(-1)))];
  };

  test('goes on where it is', () => {
    expect(restarted(live({ status }))).toEqual(['A', 'B']);
  });

  test('begins where the document is none of a cluster, or says nothing of it', () => {
    expect(restarted(live({ status }, {}))).toEqual(['A']);
    expect(restarted(live({}))).toEqual(['A']);
    expect(restarted(live({ status: { state: 'pending' } }))).toEqual(['A']);
    expect(restarted(live({ status: 'odd' }))).toEqual(['A']);
  });
});
