import {
  findCount,
  findString,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  type Path,
  valueAt,
} from '../../json/index.ts';
import type { ComponentView } from '../component-view.ts';
import { quote, type Draft } from '../finding.ts';
import { showValue } from '../../manifest/index.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, vllmModel, worker } from '../sample.ts';

const gpuLabel = /^nvidia\.com\/(?:gpu|mig)|gpu/i;
const graphLabel = 'nvidia.com/dynamo-graph-deployment-name';

function* gpuPinned(c: ComponentView): Iterable<Draft> {
  if (!['frontend', 'planner', 'epp'].includes(c.type) || (c.gpus ?? 0) > 0) return;
  const pod = [...c.path, 'extraPodSpec'];
  const draft = (path: Path, key: string): Draft => ({
    path,
    problem: `component of type ${c.type} needs no GPU but is restricted to GPU nodes`,
    found: key,
    change: 'remove it',
  });
  for (const key of Object.keys(objectAt(c.spec, 'extraPodSpec', 'nodeSelector')))
    if (gpuLabel.test(key)) yield draft([...pod, 'nodeSelector', key], key);
  const affinity = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
  for (const [t, term] of listAt(c.spec, 'extraPodSpec', ...affinity).entries())
    for (const [e, expression] of listAt(term, 'matchExpressions').entries()) {
      const key = findString(expression, 'key') ?? '';
      const selects =
        ['In', 'Exists', 'Gt'].includes(findString(expression, 'operator') ?? '') &&
        !listAt(expression, 'values').includes('false');
      if (gpuLabel.test(key) && selects) yield draft([...pod, ...affinity, t, 'matchExpressions', e], key);
    }
}

/** Every pod affinity and anti-affinity term of a component, with its path. */
function* podTerms(c: ComponentView): Iterable<{ readonly term: Json; readonly path: Path }> {
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const at = ['extraPodSpec', 'affinity', kind];
    for (const [i, term] of listAt(c.spec, ...at, 'requiredDuringSchedulingIgnoredDuringExecution').entries())
      yield { term, path: [...c.path, ...at, 'requiredDuringSchedulingIgnoredDuringExecution', i] };
    for (const [i, item] of listAt(c.spec, ...at, 'preferredDuringSchedulingIgnoredDuringExecution').entries())
      yield {
        term: valueAt(item, 'podAffinityTerm') ?? {},
        path: [...c.path, ...at, 'preferredDuringSchedulingIgnoredDuringExecution', i, 'podAffinityTerm'],
      };
  }
}

function* unmatchedAffinity(c: ComponentView, name: string): Iterable<Draft> {
  for (const { term, path } of podTerms(c)) {
    const label = findString(term, 'labelSelector', 'matchLabels', graphLabel);
    const draft = (value: string, at: Path): Draft => ({
      path: at,
      problem: `no pod of this graph has the label ${graphLabel} with this value, so the term never matches`,
      found: quote(value),
      change: `use ${quote(name)}`,
    });
    if (label !== undefined && label !== name) yield draft(label, [...path, 'labelSelector', 'matchLabels', graphLabel]);
    for (const [i, expression] of listAt(term, 'labelSelector', 'matchExpressions').entries()) {
      const values = listAt(expression, 'values').map(showValue);
      if (findString(expression, 'key') === graphLabel && findString(expression, 'operator') === 'In' && !values.includes(name))
        yield draft(values.join(', '), [
          ...path,
          'labelSelector',
          'matchExpressions',
          i,
          'values',
          ...(values.length > 0 ? [0] : []),
        ]);
    }
  }
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const typesWithProbes = ['frontend', 'worker', 'prefill', 'decode', 'epp'];
const typesWithStartupProbe = ['worker', 'prefill', 'decode', 'epp'];

/** The fields for probes. A probe with `replaces` replaces the default probe; any other is merged with it. */
const probeFields: readonly { readonly at: readonly string[]; readonly replaces: boolean }[] = [
  { at: ['livenessProbe'], replaces: true },
  { at: ['readinessProbe'], replaces: true },
  { at: ['extraPodSpec', 'mainContainer', 'startupProbe'], replaces: true },
  { at: ['extraPodSpec', 'mainContainer', 'livenessProbe'], replaces: false },
  { at: ['extraPodSpec', 'mainContainer', 'readinessProbe'], replaces: false },
];

function* probes(c: ComponentView): Iterable<Draft> {
  for (const { at, replaces } of probeFields) {
    const probe = valueAt(c.spec, ...at);
    if (!isObject(probe)) continue;
    const hasHandler = handlers.some((h) => isObject(probe[h]));
    if (!hasHandler && (replaces || !typesWithProbes.includes(c.type)))
      yield {
        path: [...c.path, ...at],
        problem: `${at.at(-1) ?? ''} has no handler, and the operator does not merge it with a default probe`,
        found: Object.keys(probe).join(', ') || 'an empty probe',
        allowed: handlers.join(', '),
        change: 'add httpGet with path /live and the port of the component',
      };
    const liveness = at.at(-1) === 'livenessProbe';
    const startup = typesWithStartupProbe.includes(c.type) || isObject(valueAt(c.container, 'startupProbe'));
    if (liveness && hasHandler && findCount(probe, 'failureThreshold') === 1 && !startup)
      yield {
        path: [...c.path, ...at, 'failureThreshold'],
        problem: 'liveness probe restarts the container after one failure, and no startup probe delays it while the engine loads',
        found: 'failureThreshold 1, no startupProbe',
        change: 'add a startupProbe or raise failureThreshold',
      };
  }
}

const anti = (value: string): JsonObject => ({
  extraPodSpec: {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: { matchExpressions: [{ key: graphLabel, operator: 'In', values: [value] }] },
            topologyKey: 'kubernetes.io/hostname',
          },
        ],
      },
    },
  },
});

/** Rules about scheduling and probes. */
export const placementRules: readonly Rule[] = [
  {
    id: 'DYN-SCHED-001',
    severity: 'warning',
    on: 'component',
    check: gpuPinned,
    title: 'frontend, planner or endpoint picker restricted to GPU nodes',
    why: 'The component uses no GPU, but takes CPU and memory of GPU nodes and stays pending while they are full.',
    allowed: 'Node selectors and required node affinity on GPU labels only for components with GPUs.',
    fix: 'Remove the node selector or affinity from the component.',
    example: () => ({
      bad: [
        graph({
          Frontend: frontend({}, { extraPodSpec: { nodeSelector: { 'nvidia.com/gpu.present': 'true' } } }),
          Worker: worker('vllm', vllmModel),
        }),
      ],
      good: [
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', vllmModel, { extraPodSpec: { nodeSelector: { 'nvidia.com/gpu.present': 'true' } } }),
        }),
      ],
    }),
  },
  {
    id: 'DYN-SCHED-002',
    severity: 'error',
    on: 'component',
    check: (c, g) => (g.isGraph ? unmatchedAffinity(c, g.name) : []),
    title: 'pod affinity that does not match the graph',
    why: `The label ${graphLabel} of a pod is the name of the graph, without the service. A selector for another value matches no pod of the graph: anti-affinity does not spread the pods, and with required affinity they are never scheduled.`,
    allowed: 'The name of the graph.',
    fix: 'Use the name of the graph. To select a service, use the label nvidia.com/dynamo-component.',
    example: () => ({
      bad: [graph({ Frontend: frontend({}, anti('demo-frontend')), Worker: worker('vllm', vllmModel) })],
      good: [graph({ Frontend: frontend({}, anti('demo')), Worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-PROBE-001',
    severity: 'error',
    on: 'component',
    check: probes,
    covers: ['DYN-API-004'],
    title: 'probe without a handler, or liveness probe that fails too early',
    why: 'A probe on the component, and a startup probe, replace the default probe of the operator. Without a handler, the API server refuses the pod. A liveness probe with failureThreshold 1 and no startup probe restarts the container while the engine loads.',
    allowed:
      'A complete probe with exactly one of exec, httpGet, tcpSocket and grpc. livenessProbe and readinessProbe in mainContainer are merged with the default and need no handler.',
    fix: 'Write the complete probe.',
    example: () => ({
      bad: [
        graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, {}, { startupProbe: { initialDelaySeconds: 180 } }) }),
      ],
      good: [
        graph({
          Frontend: frontend(),
          Worker: worker(
            'vllm',
            vllmModel,
            {},
            { startupProbe: { httpGet: { path: '/live', port: 'system' }, periodSeconds: 10, failureThreshold: 600 } },
          ),
        }),
      ],
    }),
  },
];
