import { decode, frontend, graph, pathModel, prefill, worker } from '../../../lib/lint/sample.ts';
import { type Firing, planner, type Silent, vllm, withWorker } from './case.ts';

/** What else rules about routing, scaling, scheduling and probes report. */
export const firing: readonly Firing[] = [
  [
    'DYN-ROUTE-001',
    'vLLM without prefix caching',
    'error',
    [
      graph({
        Frontend: frontend({}, { envs: [{ name: 'DYN_ROUTER_MODE', value: 'kv' }] }),
        Worker: vllm(['--no-enable-prefix-caching']),
      }),
    ],
    'spec.services.Worker',
  ],
  [
    'DYN-ROUTE-002',
    'a picker with its default block size',
    'warning',
    [
      graph({
        Frontend: frontend(),
        Epp: { componentType: 'epp', replicas: 1, eppConfig: { configMapRef: { name: 'c', key: 'k' } } },
        Worker: vllm(['--block-size', '128']),
      }),
    ],
    'spec.services.Epp',
  ],
  [
    'DYN-ROUTE-004',
    'two pickers’ replicas',
    'error',
    [
      graph({
        Frontend: frontend(),
        Epp: { componentType: 'epp', replicas: 2, eppConfig: { configMapRef: { name: 'c', key: 'k' } } },
      }),
    ],
    'spec.services.Epp.replicas',
  ],
  [
    'DYN-ROUTE-004',
    'a picker without configuration',
    'error',
    [graph({ Frontend: frontend(), Epp: { componentType: 'epp', replicas: 1 } })],
    'spec.services.Epp.eppConfig',
  ],
  [
    'DYN-SCALE-002',
    'replicas beside a planner',
    'warning',
    [graph({ Frontend: frontend(), Planner: planner([]), P: prefill(), D: decode() })],
    'spec.services.P.replicas',
  ],
  [
    'DYN-SCHED-001',
    'a frontend with affinity to GPU nodes',
    'warning',
    [
      graph({
        Frontend: frontend(
          {},
          {
            extraPodSpec: {
              affinity: {
                nodeAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: {
                    nodeSelectorTerms: [
                      { matchExpressions: [{ key: 'nvidia.com/gpu.present', operator: 'In', values: ['true'] }] },
                    ],
                  },
                },
              },
            },
          },
        ),
        Worker: vllm(),
      }),
    ],
    'spec.services.Frontend.extraPodSpec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]',
  ],
  [
    'DYN-PROBE-001',
    'a liveness probe that fails at once',
    'error',
    [graph({ Frontend: frontend({}, { livenessProbe: { httpGet: { port: 8000 }, failureThreshold: 1 } }), Worker: vllm() })],
    'spec.services.Frontend.livenessProbe.failureThreshold',
  ],
];

/** What rules about routing, scaling, scheduling and probes leave alone. */
export const silent: readonly Silent[] = [
  [
    'DYN-ROUTE-001',
    'approximate routing',
    [
      graph({
        Frontend: frontend({ command: ['python3', '-m', 'dynamo.frontend'], args: ['--router-mode', 'kv', '--no-kv-events'] }),
        Worker: worker('trtllm', [...pathModel]),
      }),
    ],
  ],
  [
    'DYN-ROUTE-001',
    'decode workers that publish nothing',
    [graph({ Frontend: frontend({}, { envs: [{ name: 'DYN_ROUTER_MODE', value: 'kv' }] }), P: prefill(), D: decode() })],
  ],
  [
    'DYN-PROBE-001',
    'numbers merged into the default probe',
    [withWorker(vllm([], {}, { livenessProbe: { periodSeconds: 30 } }))],
  ],
];
