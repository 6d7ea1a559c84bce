import { findString, isObject, type JsonObject, objectAt, valueAt } from '../../json/index.ts';
import { quote, type Draft } from '../finding.ts';
import { nameOf, namespaceOf } from '../../api/index.ts';
import type { Rule } from '../rule.ts';
import type { LintIndex } from '../lint-index.ts';

const kinds = ['DynamoGraphDeploymentRequest'];
const configPath = ['spec', 'profilingConfig', 'config'];

/** The keys that the profiler reads, in camelCase. It reads them in snake_case too. */
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

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function* unknownKeys(config: JsonObject): Iterable<Draft> {
  const draft = (path: readonly string[], allowed: readonly string[]): Draft => {
    const key = path.at(-1) ?? '';
    const isGpuType = camelCase(key) === 'gpuType';
    return {
      path: [...configPath, ...path],
      problem: `profiler does not read ${quote(path.join('.'))}`,
      allowed: allowed.join(', '),
      change: isGpuType ? 'remove it; hardware and aicSystem describe the GPUs' : 'check its spelling',
      severity: isGpuType ? 'error' : 'warning',
    };
  };
  for (const key of Object.keys(config)) {
    const section = knownKeys[camelCase(key)];
    if (!topLevel.includes(camelCase(key))) yield draft([key], topLevel);
    else if (section !== undefined)
      for (const inner of Object.keys(objectAt(config, key)))
        if (!section.includes(camelCase(inner))) yield draft([key, inner], section);
  }
}

function* missingProfilerImage(request: JsonObject): Iterable<Draft> {
  const image = findString(request, 'spec', 'profilingConfig', 'profilerImage');
  const misplaced = findString(request, 'spec', 'profilerImage');
  if (image === undefined || image === '')
    yield {
      path: misplaced === undefined ? ['spec', 'profilingConfig'] : ['spec', 'profilerImage'],
      problem: 'spec.profilingConfig.profilerImage is required',
      found: misplaced === undefined ? 'none' : 'spec.profilerImage',
      change: 'set profilerImage in profilingConfig',
      ...(misplaced === undefined || !isObject(valueAt(request, 'spec', 'profilingConfig'))
        ? {}
        : {
            fix: {
              description: 'move profilerImage to profilingConfig',
              edits: [
                { op: 'remove', path: ['spec', 'profilerImage'] },
                { op: 'set', path: ['spec', 'profilingConfig', 'profilerImage'], value: misplaced },
              ],
            },
          }),
    };
}

function* check(request: JsonObject, lintIndex: LintIndex): Iterable<Draft> {
  yield* missingProfilerImage(request);
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
  if (lintIndex.context.restricted === true && valueAt(request, 'spec', 'enableGpuDiscovery') === true)
    yield {
      path: ['spec', 'enableGpuDiscovery'],
      problem: 'GPU discovery needs an operator that can list nodes, but this one watches only one namespace',
      change: 'set it to false, and set hardware.minNumGpusPerEngine, maxNumGpusPerEngine and numGpusPerNode',
    };
  yield* unknownKeys(config);
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
  const namespace = namespaceOf(request, lintIndex.namespace);
  const planned = lintIndex
    .ofKind('DynamoGraphDeploymentRequest', namespace)
    .filter((r) => isObject(valueAt(r, ...configPath, 'planner')));
  if (planned.length > 1 && planned[0] !== request && planned.includes(request))
    yield {
      path: [...configPath, 'planner'],
      problem: 'requests with a planner in one namespace write the same ConfigMap planner-profile-data',
      found: `${nameOf(planned[0] ?? {})} and ${nameOf(request)}`,
      change: 'move one of them to another namespace',
    };
  const secret = lintIndex.find('Secret', namespace, 'hf-token-secret');
  if (
    secret !== undefined &&
    valueAt(secret, 'data', 'HF_TOKEN') === undefined &&
    valueAt(secret, 'stringData', 'HF_TOKEN') === undefined
  )
    yield {
      path: ['spec', 'model'],
      problem: 'the profiling Job reads the key HF_TOKEN of Secret hf-token-secret',
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

/** Rules about DynamoGraphDeploymentRequests. */
export const requestRules: readonly Rule[] = [
  {
    id: 'DYN-DGDR-001',
    severity: 'error',
    on: 'object',
    kinds,
    check,
    contextual: true,
    title: 'profiling request that cannot run',
    why: 'The profiling Job never starts, or it fails, which with online profiling can take hours.',
    allowed:
      'profilingConfig.profilerImage with a pinned tag; sweep.aicSystem with AI Configurator; keys that the profiler reads; one request with a planner per namespace. An unknown key is a warning.',
    fix: 'Correct the field that the message names. `--fix` moves spec.profilerImage to profilingConfig.',
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
    check: function* (r, lintIndex) {
      const apply = valueAt(r, 'spec', 'autoApply');
      if (apply === undefined)
        yield {
          path: ['spec'],
          problem: 'autoApply is not set, and its default is false in v1alpha1 but true in later API versions',
          found: 'none',
          change: 'set autoApply',
          fix: {
            description: 'set autoApply to false, its default',
            edits: [{ op: 'set', path: ['spec', 'autoApply'], value: false }],
          },
        };
      else if (apply === true && lintIndex.context.gitops === true)
        yield {
          path: ['spec', 'autoApply'],
          problem: 'the operator applies the generated graph, which is then not in Git',
          found: 'autoApply true',
          change: 'set it to false and commit the generated graph',
        };
    },
    title: 'autoApply that is not set, or is true with GitOps',
    why: 'The default differs between API versions. A graph that the operator applies is not in Git: nobody reviews it, and a rebuilt cluster does not have it.',
    allowed: 'An explicit autoApply; false with GitOps.',
    fix: 'Set autoApply. `--fix` sets it to false, the default of v1alpha1.',
    example: () => ({
      bad: [request({ profilerImage: image, config: {} }, {})],
      good: [request({ profilerImage: image, config: {} })],
    }),
  },
];
