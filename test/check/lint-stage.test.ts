import { describe, expect, test } from 'vitest';
import { indexDocuments, judgeDocuments, lintDocuments, renderDocuments } from '../../lib/check/index.ts';
import type { LintSettings } from '../../lib/check/index.ts';
import type { Json, JsonObject } from '../../lib/json/index.ts';

const apiVersion = 'nvidia.com/v1alpha1';
const main: JsonObject = {
  extraPodSpec: {
    mainContainer: {
      image: 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0',
      command: ['python3', '-m', 'dynamo.vllm'],
      args: ['--model', 'm'],
    },
  },
};
const web: JsonObject = { componentType: 'frontend', replicas: 1, ...main };
const worker: JsonObject = { componentType: 'worker', replicas: 1, resources: { limits: { gpu: '8' } }, ...main };

const graph = (services: JsonObject, metadata: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'g', ...metadata },
  spec: { ...spec, services },
});

function lint(values: readonly Json[], more: Partial<LintSettings> = {}) {
  const settings: LintSettings = { namespace: 'team', ...more };
  return lintDocuments(
    renderDocuments(
      judgeDocuments(
        values.map((value) => ({ value })),
        settings,
      ),
      settings,
    ),
    settings,
  );
}

const ids = (value: Json, more?: Partial<LintSettings>): readonly string[] =>
  lint([value], more).flatMap(({ findings }) => findings.map(({ id }) => id));

describe('lint knows', () => {
  test('how many GPUs a node has, and how many the graph may use', () => {
    const one = graph({ Web: web, Worker: worker });
    const budget = ids(one, { gpuBudget: 7 }).filter((id) => !ids(one).includes(id));
    expect(budget).toEqual(['DYN-GPU-006']);
    expect(ids(one, { gpuBudget: 8 })).toEqual(ids(one));
    const perNode = ids(one, { gpusPerNode: 4 }).filter((id) => !ids(one).includes(id));
    expect(perNode).toHaveLength(1);
    expect(perNode[0]).toMatch(/^DYN-GPU-/);
    expect(ids(one, { gpusPerNode: 8 })).toEqual(ids(one));
  });

  test('what was applied before, of the same kind, namespace and name', () => {
    const now = graph({ Web: web, Worker: { ...worker, modelRef: { name: 'b' } } }, {}, { backendFramework: 'vllm' });
    const before = graph({ Web: web, Gone: worker }, {}, { backendFramework: 'sglang' });
    const added = (previous: JsonObject): readonly string[] => {
      const plain = ids(now);
      return ids(now, { previous: [previous] }).filter((id) => !plain.includes(id));
    };
    expect(added(before)).not.toEqual([]);
    expect(added({ ...before, metadata: { name: 'other' } })).toEqual([]);
    expect(added({ ...before, metadata: { name: 'g', namespace: 'other' } })).toEqual([]);
  });

  test('everything that is given, and the documents as they are stored', () => {
    const given = { release: '0.8.0', orchestrator: 'lws', gpusPerNode: 8, gpuBudget: 16, gitops: true } as const;
    const beside = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'p' } };
    const judged = judgeDocuments([{ value: graph({ Web: { ...web, odd: 1 } }) }, { value: beside }, { value: 'text' }], {
      namespace: 'team',
    });
    const resources = [graph({ Web: web }, { namespace: 'team' }), beside];
    expect(indexDocuments(judged, { namespace: 'team', ...given }).context).toEqual({ namespace: 'team', ...given, resources });
    expect(indexDocuments(judged, { namespace: 'team' }).context).toEqual({ namespace: 'team', resources });
  });
});

describe('findings', () => {
  test('of lint, of quirks and of rejections have their stage, and each fact is told once', () => {
    const probes = { httpGet: { path: '/a', port: 1 }, exec: { command: ['x'] } };
    const mixed = graph(
      { Web: { ...web, livenessProbe: probes }, Worker: { ...worker, componentType: 'main' } },
      { name: '0-day' },
    );
    const [document] = lint([mixed]);
    for (const { id, stage } of document?.findings ?? []) {
      const wanted = id.startsWith('DYN-API-') ? 'rejection' : id.startsWith('DYN-QUIRK-') ? 'quirk' : 'lint';
      expect([id, stage]).toEqual([id, wanted]);
    }
    const stages = document?.findings.map(({ stage }) => stage) ?? [];
    expect(stages).toContain('rejection');
    expect(stages).toContain('lint');
    const told = document?.findings.map(({ id, path }) => `${id} ${path.join('.')}`) ?? [];
    expect(new Set(told).size).toBe(told.length);
    const spread = graph({ Web: web, Worker: { ...worker, multinode: { nodeCount: 2 }, labels: { a: 'b' } } });
    const [quirky] = lint([spread], { orchestrator: 'lws' });
    expect(quirky?.findings.find(({ id }) => id === 'DYN-QUIRK-001')?.stage).toBe('quirk');
  });

  test('that the author accepts are counted and not told', () => {
    const plain = graph({ Web: web, Worker: { ...worker, componentType: 'main' } });
    const [first] = lint([plain])[0]?.findings.filter(({ stage }) => stage === 'lint') ?? [];
    expect(first?.id).toMatch(/^DYN-/);
    const annotations = { 'dynamo-cdk8s/suppress': `${first?.id ?? ''}=we know` };
    const [accepted] = lint([graph({ Web: web, Worker: { ...worker, componentType: 'main' } }, { annotations })]);
    expect(accepted?.suppressed).toBeGreaterThan(0);
    expect(accepted?.findings.map(({ id }) => id)).not.toContain(first?.id);
    expect(lint([plain])[0]?.suppressed).toBe(0);
  });

  test('of rules are left out where schema or webhook refuse, and where there is no object', () => {
    const bad = { ...worker, componentType: 'main', sharedMemory: {} };
    expect(lint([graph({ Web: web, Worker: bad })])[0]?.findings.map(({ stage }) => stage)).toEqual(['admission']);
    expect(lint([graph({ Web: web, Worker: { ...bad, replicas: 'x' } })])[0]?.findings.map(({ stage }) => stage)).toEqual([
      'schema',
    ]);
    expect(lint(['text'])[0]).toMatchObject({ suppressed: 0, findings: [{ stage: 'kind' }] });
  });

  test('of rules are left out at a place that the renderer refuses, and told elsewhere', () => {
    const spread = graph({ Web: web, Worker: { ...worker, componentType: 'main', multinode: { nodeCount: 2 } } });
    const [document] = lint([spread], { orchestrator: 'none' });
    const at = (place: string): readonly string[] =>
      document?.findings.filter(({ path }) => path.join('.') === `spec.services.Worker.${place}`).map(({ id }) => id) ?? [];
    expect(at('multinode')).toEqual(['no_orchestrator']);
    expect(at('componentType')).not.toEqual([]);
  });

  test('of a backend that does not match its command are told once, by the renderer', () => {
    const mismatch = graph({ Web: web, Worker: worker }, {}, { backendFramework: 'sglang' });
    const found = ids(mismatch);
    expect(found).toContain('framework_mismatch');
    expect(found).not.toContain('DYN-BACK-001');
  });

  test('of other objects are told too', () => {
    const account = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
    expect(lint([account])[0]).toMatchObject({ suppressed: 0, findings: [] });
  });
});
