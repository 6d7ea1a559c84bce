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
  const say = (path: Path, key: string): Draft => ({
    path,
    problem: `a ${c.type} needs no GPU but is pinned to GPU nodes`,
    found: key,
    change: 'remove it, GPU nodes are for workers',
  });
  for (const key of Object.keys(objectAt(c.spec, 'extraPodSpec', 'nodeSelector')))
    if (gpuLabel.test(key)) yield say([...pod, 'nodeSelector', key], key);
  const affinity = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
  for (const [t, term] of listAt(c.spec, 'extraPodSpec', ...affinity).entries())
    for (const [e, expression] of listAt(term, 'matchExpressions').entries()) {
      const key = findString(expression, 'key') ?? '';
      const wants =
        ['In', 'Exists', 'Gt'].includes(findString(expression, 'operator') ?? '') &&
        !listAt(expression, 'values').includes('false');
      if (gpuLabel.test(key) && wants) yield say([...pod, ...affinity, t, 'matchExpressions', e], key);
    }
}

/** Every pod affinity term of a component and where it is. */
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

function* deadAffinity(c: ComponentView, name: string): Iterable<Draft> {
  for (const { term, path } of podTerms(c)) {
    const label = findString(term, 'labelSelector', 'matchLabels', graphLabel);
    const say = (value: string, at: Path): Draft => ({
      path: at,
      problem: `no pod of this graph has the label ${graphLabel} with this value, so the rule never matches`,
      found: quote(value),
      change: `use ${quote(name)}`,
    });
    if (label !== undefined && label !== name) yield say(label, [...path, 'labelSelector', 'matchLabels', graphLabel]);
    for (const [i, expression] of listAt(term, 'labelSelector', 'matchExpressions').entries()) {
      const values = listAt(expression, 'values').map(showValue);
      if (findString(expression, 'key') === graphLabel && findString(expression, 'operator') === 'In' && !values.includes(name))
        yield say(values.join(', '), [
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
const withDefaults = ['frontend', 'worker', 'prefill', 'decode', 'epp'];
const withStartup = ['worker', 'prefill', 'decode', 'epp'];

/** The probes a user can write and whether each replaces the default whole. */
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
    const has = handlers.some((h) => isObject(probe[h]));
    if (!has && (replaces || !withDefaults.includes(c.type)))
      yield {
        path: [...c.path, ...at],
        problem: `${at.at(-1) ?? ''} has no handler, and it replaces the operator’s probe whole`,
        found: Object.keys(probe).join(', ') || 'an empty probe',
        allowed: handlers.join(', '),
        change: 'add httpGet with path /live and the port of the component',
      };
    const liveness = at.at(-1) === 'livenessProbe';
    const startup = withStartup.includes(c.type) || isObject(valueAt(c.container, 'startupProbe'));
    if (liveness && has && findCount(probe, 'failureThreshold') === 1 && !startup)
      yield {
        path: [...c.path, ...at, 'failureThreshold'],
        problem: 'liveness probe fails at the first miss and no startup probe holds it back while the engine loads',
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

/** Rules about placement and probes. */
export const placementRules: readonly Rule[] = [
  {
    id: 'DYN-SCHED-001',
    severity: 'warning',
    on: 'component',
    check: gpuPinned,
    title: 'frontend, planner or picker pinned to GPU nodes',
    why: 'It takes CPU and memory of the scarcest nodes and waits while they are full, although it uses no GPU.',
    allowed: 'Node selectors and required affinity on GPU labels only for components with GPUs.',
    fix: 'Remove the selector from the component.',
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
    check: (c, g) => (g.isGraph ? deadAffinity(c, g.name) : []),
    title: 'pod affinity on a graph name that is not this graph',
    why: `Pods carry ${graphLabel} with the name of the graph, without the service. A selector for another value matches nothing: anti-affinity does not spread, affinity never schedules.`,
    allowed: 'The name of the graph.',
    fix: 'Use the graph’s name, and nvidia.com/dynamo-component for the service.',
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
    title: 'probe override without a handler, or liveness that fails at once',
    why: 'A probe given on the component, and a startup probe, replace the operator’s whole. Without a handler the API server refuses the pod; a liveness probe with threshold 1 and no startup probe kills the engine while it loads.',
    allowed:
      'A complete probe with exactly one of exec, httpGet, tcpSocket, grpc. liveness and readiness below mainContainer are merged with the default and may leave it out.',
    fix: 'Write the whole probe.',
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
