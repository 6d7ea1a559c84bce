import type { JsonObject } from '../../lib/json/index.ts';
import type { EffectResult } from '../../lib/reconcile/index.ts';

/** How a worker of the recording answers: by the last number of its address. */
export type Workers = Readonly<Record<number, EffectResult>>;

/** One step of the recorded scenario: what was done to the cluster. */
export interface ModelStep {
  readonly step: string;
  readonly create?: JsonObject;
  readonly edit?: { readonly name: string; readonly spec: JsonObject };
  readonly remove?: string;
  /** The endpoints from now on. */
  readonly endpoints?: readonly JsonObject[];
  /** Workers that answer otherwise from now on. */
  readonly workers?: Workers;
  /** A model whose time to look again has come. */
  readonly tick?: string;
}

function model(name: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoModel',
    metadata: { name, namespace: 'demo' },
    spec: { baseModelName: 'Qwen/Qwen3-0.6B', ...spec },
  };
}

function pods(...numbers: readonly number[]): readonly JsonObject[] {
  return numbers.map((number) => ({
    addresses: [`10.77.0.${number}`],
    conditions: { ready: true },
    targetRef: { kind: 'Pod', name: `worker-${number}`, namespace: 'demo' },
  }));
}

const notReady = { ...pods(1)[0], conditions: { ready: false } };
const noPod = { addresses: ['10.77.0.9'], conditions: { ready: true } };

/** What was done when the original was recorded. */
export const modelSteps: readonly ModelStep[] = [
  {
    step: 'lora before any endpoint',
    create: model('ad', { modelName: 'org/ad', modelType: 'lora', source: { uri: 's3://b/ad' } }),
  },
  { step: 'two endpoints appear', endpoints: pods(1, 2) },
  { step: 'base model', create: model('base', { modelName: 'Qwen/Qwen3-0.6B', modelType: 'base' }) },
  { step: 'adapter kind', create: model('adk', { modelName: 'org/adk', modelType: 'adapter', source: { uri: 's3://b/adk' } }) },
  { step: 'third endpoint fails', endpoints: pods(1, 2, 3), workers: { 3: { ok: true, status: 500, body: 'boom' } } },
  { step: 'third recovers, next tick', workers: { 3: { ok: true, status: 200, body: '{"status":"success"}' } }, tick: 'ad' },
  { step: 'slow endpoint', endpoints: pods(1, 4), workers: { 4: { ok: false, error: 'no answer within 15 s' } } },
  {
    step: 'refusing endpoint',
    endpoints: pods(1, 5),
    workers: { 5: { ok: false, error: 'connect ECONNREFUSED 10.77.0.5:9090' } },
  },
  {
    step: 'error inside a 200',
    endpoints: pods(6),
    workers: { 6: { ok: true, status: 200, body: '{"status":"error","message":"cannot load"}' } },
  },
  {
    step: 'source changes',
    endpoints: pods(1),
    edit: { name: 'ad', spec: { source: { uri: 's3://b/ad2' } } },
  },
  { step: 'not ready and no pod', endpoints: [notReady, noPod] },
  { step: 'endpoints vanish', endpoints: [] },
  { step: 'lora without source', create: model('bad', { modelName: 'x', modelType: 'lora' }) },
  { step: 'odd uri', create: model('bad2', { modelName: 'x', modelType: 'lora', source: { uri: 'http://evil/x' } }) },
  {
    step: 'odd name',
    endpoints: pods(1),
    create: model('odd', { modelName: 'a b/../c?d#e', modelType: 'lora', source: { uri: 'hf://o/m' } }),
  },
  { step: 'delete odd name', remove: 'odd' },
  { step: 'delete while one refuses', endpoints: pods(1, 5), remove: 'ad' },
  { step: 'delete invalid', remove: 'bad' },
];
