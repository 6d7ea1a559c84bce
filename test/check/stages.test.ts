import { describe, expect, test } from 'vitest';
import { judge } from '../../lib/admission/index.ts';
import { indexDocuments, judgeDocuments, lintDocument, renderDocuments } from '../../lib/check/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';
import { run } from '../cli/run.ts';

const settings = { namespace: 'team' };

function graph(services: JsonObject, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g' },
    spec: { ...spec, services },
  };
}

const frontend: JsonObject = { componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer: { image: 'i:1' } } };
const spread: JsonObject = {
  ...frontend,
  componentType: 'worker',
  multinode: { nodeCount: 2 },
  resources: { limits: { gpu: '1' } },
};

interface Reported {
  readonly id: string;
  readonly severity: string;
  readonly path: string;
  readonly message: string;
}

async function lint(document: JsonObject, ...argv: readonly string[]): Promise<readonly Reported[]> {
  const { out } = await run(['lint', '-f', '-', '-o', 'json', ...argv], { stdin: JSON.stringify(document) });
  return (JSON.parse(out) as { readonly findings: readonly Reported[] }).findings;
}

describe('judging', () => {
  const size = (amount: string): JsonObject =>
    graph(
      { Web: frontend },
      { pvcs: [{ name: 'p', create: true, size: amount, storageClass: 's', volumeAccessMode: 'ReadWriteOnce' }] },
    );

  test('cannot decode an update whose object before cannot be decoded, and says it once', () => {
    const paths = (object: JsonObject, oldObject?: JsonObject) =>
      judge({ object, oldObject }, {}).undecodable.map(({ path }) => path.join('.'));
    expect(paths(size('1Gi'))).toEqual([]);
    expect(paths(size('1Gi'), size('1e1.5'))).toEqual(['spec.pvcs.0.size']);
    expect(paths(size('1e1.5'), size('1e1.5'))).toEqual(['spec.pvcs.0.size']);
  });

  test('stores nothing that schema or decoding refuse', () => {
    expect(judge({ object: size('1e1.5') }, {})).not.toHaveProperty('stored');
    expect(judge({ object: graph({ Web: { replicas: -1 } }) }, {})).not.toHaveProperty('stored');
    expect(judge({ object: graph({}) }, {}).stored).toMatchObject({ kind: 'DynamoGraphDeployment' });
  });

  test('judges an object that exists already as an update, and others as new', () => {
    const scaled = (replicas: number): JsonObject => graph({ Web: { ...frontend, replicas, scalingAdapter: { enabled: true } } });
    const judged = (old: JsonObject) => judgeDocuments([{ value: scaled(2) }], { ...settings, old: [old] })[0];
    expect(judged(scaled(1))).toMatchObject({ isUpdate: true, findings: [{ stage: 'admission', severity: 'error' }] });
    expect(judged({ ...scaled(1), metadata: { name: 'g', namespace: 'other' } })).toMatchObject({
      isUpdate: false,
      findings: [],
    });
  });
});

describe('lint', () => {
  test('sees the stored form of the document and of those beside it', () => {
    const value = graph({ Web: { ...frontend, unknown: 1, labels: null } });
    const rendered = renderDocuments(judgeDocuments([{ value }], settings), settings);
    const index = indexDocuments(rendered, settings);
    const seen: JsonObject[] = [];
    const graphOf: typeof index.graphOf = (resource) => {
      seen.push(resource);
      return index.graphOf(resource);
    };
    for (const document of rendered) lintDocument(document, { ...index, graphOf });
    const stored = { ...graph({ Web: frontend }), metadata: { name: 'g', namespace: 'team' } };
    expect(seen).toEqual([stored]);
    expect(index.resources).toEqual([stored]);
  });

  test('adds nothing at a place that the renderer refuses, and all it knows elsewhere', async () => {
    const document = graph({ Worker: { ...spread, componentType: 'main' } });
    const found = await lint(document, '--orchestrator', 'none');
    expect(found.filter(({ path }) => path === 'spec.services.Worker.multinode').map(({ id }) => id)).toEqual([
      'no_orchestrator',
    ]);
    expect(found.map(({ path }) => path)).toContain('spec.services.Worker.componentType');
  });

  test('adds nothing to what the webhook refuses', async () => {
    expect(await lint(graph({}))).toMatchObject([{ id: 'required', path: 'spec.services' }]);
  });

  test('tells of quirks only what holds for every orchestrator, until it knows which', async () => {
    const document = graph({ Web: frontend, Worker: { ...spread, labels: { a: 'b' } } });
    const quirks = async (...argv: readonly string[]) =>
      (await lint(document, ...argv)).filter(({ id }) => id === 'DYN-QUIRK-001').length;
    expect([await quirks(), await quirks('--orchestrator', 'lws'), await quirks('--orchestrator', 'grove')]).toEqual([0, 1, 0]);
  });

  test('calls what only LeaderWorkerSets refuse an error where they are, and a doubt where nobody says', async () => {
    const document = graph({ Web: frontend, Worker: { ...spread, resources: {} } });
    const severities = async (...argv: readonly string[]) =>
      (await lint(document, ...argv))
        .filter(({ path }) => path === 'spec.services.Worker.resources.limits.gpu')
        .map(({ severity }) => severity);
    expect([await severities(), await severities('--orchestrator', 'lws'), await severities('--orchestrator', 'grove')]).toEqual([
      ['warning'],
      ['error'],
      [],
    ]);
  });

  test('judges fields by the release it is told', async () => {
    const document = graph({ Web: { ...frontend, pvc: { name: 'a' }, failover: {}, subComponentType: 'prefill' } });
    const said = async (...argv: readonly string[]) =>
      (await lint(document, ...argv))
        .filter(({ id }) => id === 'unknown_field')
        .map(({ path, message }) => `${path.slice(18)}: ${message}`);
    const pvc = 'pvc: unknown field: removed in 0.6.0; declare the claim in spec.pvcs and mount it with volumeMounts';
    expect(await said()).toEqual([pvc, 'failover: unknown field: added in 1.1.1, release 0.9 drops it']);
    expect(await said('--release', '1.1.1')).toEqual([pvc]);
    expect(await said('--release', '0.5.1')).toEqual([
      'failover: unknown field: added in 1.1.1, release 0.5.1 drops it',
      'subComponentType: unknown field: added in 0.6.0, release 0.5.1 drops it',
    ]);
  });

  test('knows that manifests are applied from Git', async () => {
    const request: JsonObject = {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeploymentRequest',
      metadata: { name: 'r' },
      spec: { model: 'm', backend: 'vllm', autoApply: true, profilingConfig: { profilerImage: 'p:0.9.0', config: {} } },
    };
    const ids = async (...argv: readonly string[]) => (await lint(request, ...argv)).map(({ id }) => id);
    expect(await ids()).not.toContain('DYN-DGDR-002');
    expect(await ids('--gitops')).toContain('DYN-DGDR-002');
  });
});
