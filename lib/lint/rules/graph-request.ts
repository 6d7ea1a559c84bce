import { findString, isObject, type JsonObject, objectAt, valueAt } from '../../json/index.ts';
import { quote, type Draft } from '../finding.ts';
import { nameOf, namespaceOf } from '../../api/index.ts';
import type { Rule } from '../rule.ts';
import type { LintIndex } from '../lint-index.ts';

const kinds = ['DynamoGraphDeploymentRequest'];
const configPath = ['spec', 'profilingConfig', 'config'];

/** Keys the profiler reads, in camelCase; snake_case is read too. */
const knownKeys: Readonly<Record<string, readonly string[]>> = {
  deployment: ['namespace', 'model', 'dgdImage', 'deploymentTimeout', 'modelCache', 'serviceName'],
  engine: ['backend', 'config', 'maxContextLength', 'isMoeModel'],
  hardware: ['minNumGpusPerEngine', 'maxNumGpusPerEngine', 'numGpusPerNode', 'enableGpuDiscovery'],
  sweep: [
    'useAiConfigurator',
    'aicSystem',
    'aicHfId',
    'aicBackend',
    'aicBackendVersion',
    'prefillInterpolationGranularity',
    'decodeInterpolationGranularity',
    'pickWithWebui',
    'webuiPort',
    'dryRun',
    'forceRerun',
    'skipExistingResults',
  ],
  sla: ['isl', 'osl', 'ttft', 'itl'],
};
const topLevel = [...Object.keys(knownKeys), 'planner', 'outputDir'];

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function* keys(config: JsonObject): Iterable<Draft> {
  const say = (path: readonly string[], allowed: readonly string[]): Draft => {
    const key = path.at(-1) ?? '';
    const certain = camel(key) === 'gpuType';
    return {
      path: [...configPath, ...path],
      problem: `profiler does not read ${quote(path.join('.'))}`,
      allowed: allowed.join(', '),
      change: certain ? 'remove it, GPUs are described by hardware and aicSystem' : 'check its spelling',
      severity: certain ? 'error' : 'warning',
    };
  };
  for (const key of Object.keys(config)) {
    const section = knownKeys[camel(key)];
    if (!topLevel.includes(camel(key))) yield say([key], topLevel);
    else if (section !== undefined)
      for (const inner of Object.keys(objectAt(config, key)))
        if (!section.includes(camel(inner))) yield say([key, inner], section);
  }
}

function* profiler(request: JsonObject): Iterable<Draft> {
  const image = findString(request, 'spec', 'profilingConfig', 'profilerImage');
  const misplaced = findString(request, 'spec', 'profilerImage');
  if (image === undefined || image === '')
    yield {
      path: misplaced === undefined ? ['spec', 'profilingConfig'] : ['spec', 'profilerImage'],
      problem: 'spec.profilingConfig.profilerImage is required',
      found: misplaced === undefined ? 'none' : 'profilerImage under spec',
      change: 'set it below profilingConfig',
      ...(misplaced === undefined || !isObject(valueAt(request, 'spec', 'profilingConfig'))
        ? {}
        : {
            fix: {
              description: 'move profilerImage below profilingConfig',
              edits: [
                { op: 'remove', path: ['spec', 'profilerImage'] },
                { op: 'set', path: ['spec', 'profilingConfig', 'profilerImage'], value: misplaced },
              ],
            },
          }),
    };
}

function* check(request: JsonObject, around: LintIndex): Iterable<Draft> {
  yield* profiler(request);
  const config = objectAt(request, ...configPath);
  const sweep = objectAt(config, 'sweep');
  const aic = sweep['useAiConfigurator'] ?? sweep['use_ai_configurator'];
  if (aic === true && (sweep['aicSystem'] ?? sweep['aic_system']) === undefined)
    yield {
      path: [...configPath, 'sweep'],
      problem: 'AI Configurator needs sweep.aicSystem',
      found: 'none',
      change: 'add the GPU system, such as h200_sxm',
    };
  if (around.context.restricted === true && valueAt(request, 'spec', 'enableGpuDiscovery') === true)
    yield {
      path: ['spec', 'enableGpuDiscovery'],
      problem: 'GPU discovery needs an operator that sees all nodes, this one watches one namespace',
      change: 'set it to false and give hardware.minNumGpusPerEngine, maxNumGpusPerEngine and numGpusPerNode',
    };
  yield* keys(config);
  const planner = objectAt(config, 'planner');
  for (const key of Object.keys(planner))
    if (/load_?predictor$/i.test(key) && planner[key] === 'linear')
      yield {
        path: [...configPath, 'planner', key],
        problem: 'planner has no such load predictor',
        found: '"linear"',
        allowed: 'constant, arima, kalman, prophet',
        change: 'use one of them',
      };
  const namespace = namespaceOf(request, around.namespace);
  const twins = around
    .ofKind('DynamoGraphDeploymentRequest', namespace)
    .filter((r) => isObject(valueAt(r, ...configPath, 'planner')));
  if (twins.length > 1 && twins[0] !== request && twins.includes(request))
    yield {
      path: [...configPath, 'planner'],
      problem: 'two requests with a planner write the same ConfigMap planner-profile-data of a namespace',
      found: `${nameOf(twins[0] ?? {})} and ${nameOf(request)}`,
      change: 'put one of them into another namespace',
    };
  const secret = around.find('Secret', namespace, 'hf-token-secret');
  if (
    secret !== undefined &&
    valueAt(secret, 'data', 'HF_TOKEN') === undefined &&
    valueAt(secret, 'stringData', 'HF_TOKEN') === undefined
  )
    yield {
      path: ['spec', 'model'],
      problem: 'profiling Job reads key HF_TOKEN of Secret hf-token-secret',
      found: `keys ${Object.keys({ ...objectAt(secret, 'data'), ...objectAt(secret, 'stringData') }).join(', ') || 'none'}`,
      change: 'add the key HF_TOKEN',
    };
}

const request = (profilingConfig: JsonObject, spec: JsonObject = { autoApply: false }): JsonObject => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeploymentRequest',
  metadata: { name: 'sla' },
  spec: { model: 'Qwen/Qwen3-32B', backend: 'trtllm', profilingConfig, ...spec },
});
const image = 'nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime:0.9.0';

/** Rules about profiling requests. */
export const requestRules: readonly Rule[] = [
  {
    id: 'DYN-DGDR-001',
    severity: 'error',
    on: 'object',
    kinds,
    check,
    contextual: true,
    title: 'profiling request that cannot run',
    why: 'The profiling Job fails, after hours where it profiles online, or never starts.',
    allowed:
      'profilingConfig.profilerImage, pinned; AI Configurator with aicSystem; keys the profiler reads; one request with a planner per namespace. A key lint does not know is a warning.',
    fix: 'Correct the request as the message says; `--fix` moves a misplaced profilerImage.',
    example: () => ({
      bad: [request({ profilerImage: image, config: { sweep: { useAiConfigurator: true } } })],
      good: [request({ profilerImage: image, config: { sweep: { useAiConfigurator: true, aicSystem: 'h200_sxm' } } })],
    }),
  },
  {
    id: 'DYN-DGDR-002',
    severity: 'warning',
    on: 'object',
    kinds,
    check: function* (r, around) {
      const apply = valueAt(r, 'spec', 'autoApply');
      if (apply === undefined)
        yield {
          path: ['spec'],
          problem: 'autoApply is not set, its default is false here and true in later API versions',
          found: 'none',
          change: 'set autoApply',
          fix: {
            description: 'set autoApply to false, its default',
            edits: [{ op: 'set', path: ['spec', 'autoApply'], value: false }],
          },
        };
      else if (apply === true && around.context.gitops === true)
        yield {
          path: ['spec', 'autoApply'],
          problem: 'the graph that profiling makes never lands in Git',
          found: 'autoApply true',
          change: 'set it to false and commit the generated graph',
        };
    },
    title: 'autoApply left to its default, or on under GitOps',
    why: 'The default flips between API versions, and a graph the operator makes by itself is not in Git: nobody reviews it, and a rebuilt cluster lacks it.',
    allowed: 'autoApply said explicitly; false where Git is the source.',
    fix: 'Set autoApply; `--fix` writes today’s default.',
    example: () => ({
      bad: [request({ profilerImage: image, config: {} }, {})],
      good: [request({ profilerImage: image, config: {} })],
    }),
  },
];
