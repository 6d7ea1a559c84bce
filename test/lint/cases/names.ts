import type { JsonObject } from '../../../lib/json/index.ts';
import { frontend, graph } from '../../../lib/lint/sample.ts';
import { type Firing, request, type Silent, vllm, withWorker } from './case.ts';

const overrides = 'spec.deploymentOverrides';
const overridden = (deploymentOverrides: JsonObject, autoApply = true) =>
  request({ profilingConfig: { profilerImage: 'p:1', config: {} }, deploymentOverrides, autoApply });

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
  ['DYN-NAME-002', 'a graph to be made with an invalid name', 'error', [overridden({ name: 'Bad_Name' })], `${overrides}.name`],
  ['DYN-NAME-002', 'one that nobody makes', 'warning', [overridden({ name: 'Bad_Name' }, false)], `${overrides}.name`],
  ['DYN-NAME-002', 'a namespace with an invalid name', 'error', [overridden({ namespace: 'a.b' })], `${overrides}.namespace`],
  ['DYN-NAME-002', 'a label with an invalid key', 'error', [overridden({ labels: { 'a b': 'x' } })], `${overrides}.labels`],
  ['DYN-NAME-002', 'a label with an invalid value', 'error', [overridden({ labels: { a: '!!' } })], `${overrides}.labels`],
  [
    'DYN-NAME-002',
    'an annotation with an invalid key',
    'error',
    [overridden({ annotations: { 'c/d/e': 'x' } })],
    `${overrides}.annotations`,
  ],
  ['DYN-NAME-003', 'two graphs of one name', 'error', [withWorker(vllm()), withWorker(vllm())], 'metadata.name'],
];

/** What rules about names leave alone. */
export const silent: readonly Silent[] = [
  [
    'DYN-NAME-002',
    'overrides that a graph can have',
    [overridden({ name: 'mine', namespace: '1st', labels: { 'a.b/c': 'x_Y' }, annotations: { 'A/b': '!!', c: '' } })],
  ],
  ['DYN-NAME-002', 'overrides that are empty', [overridden({ name: '', namespace: '' })]],
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
