import { frontend, graph } from '../../../lib/lint/sample.ts';
import { type Firing, request, type Silent, vllm, withWorker } from './case.ts';

/** What else rules about names report. */
export const firing: readonly Firing[] = [
  [
    'DYN-NAME-001',
    'long names where Grove may be used',
    'warning',
    [withWorker(vllm(), {}, { name: 'a-very-long-name-for-a-graph-of-workers-x' })],
    'metadata.name',
  ],
  ['DYN-NAME-002', 'a graph named by a digit', 'error', [withWorker(vllm(), {}, { name: '1demo' })], 'metadata.name'],
  ['DYN-NAME-002', 'a long Dynamo namespace', 'error', [withWorker(vllm(), {}, { namespace: 'n'.repeat(60) })], 'metadata.name'],
  [
    'DYN-NAME-002',
    'a long Service',
    'error',
    [graph({ Frontend: frontend(), ['w'.repeat(57)]: vllm() })],
    `spec.services.${'w'.repeat(57)}`,
  ],
  [
    'DYN-NAME-002',
    'a long request',
    'error',
    [request({ profilingConfig: { profilerImage: 'p:1', config: {} } }, 'r'.repeat(56))],
    'metadata.name',
  ],
  ['DYN-NAME-003', 'two graphs of one name', 'error', [withWorker(vllm()), withWorker(vllm())], 'metadata.name'],
];

/** What rules about names leave alone. */
export const silent: readonly Silent[] = [
  [
    'DYN-NAME-001',
    'a graph that turns Grove off',
    [
      withWorker(
        vllm(),
        {},
        { name: 'a-very-long-name-for-a-graph-of-workers-x', annotations: { 'nvidia.com/enable-grove': 'False' } },
      ),
    ],
    { orchestrator: 'grove' },
  ],
];
