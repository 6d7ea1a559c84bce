/** Selectors, affinities, tolerations and spread constraints. */
import type { Json, JsonObject } from '../../../lib/json/index.ts';
import { long } from './names.ts';

const expressions: readonly JsonObject[] = [
  { key: 'a', operator: 'In', values: ['x'] },
  { key: 'a', operator: 'In' },
  { key: 'a', operator: 'In', values: [] },
  { key: 'a', operator: 'NotIn', values: ['x', long(64)] },
  { key: 'a', operator: 'Exists' },
  { key: 'a', operator: 'Exists', values: ['x'] },
  { key: 'a', operator: 'DoesNotExist', values: ['x'] },
  { key: 'a', operator: 'Is', values: ['x'] },
  { key: 'a', operator: '', values: ['x'] },
  { key: 'a b', operator: 'Exists' },
  { key: '', operator: 'Exists' },
  { key: 'a', operator: 'In', values: ['x y'] },
];
const nodeExpressions: readonly JsonObject[] = [
  ...expressions,
  { key: 'a', operator: 'Gt', values: ['1'] },
  { key: 'a', operator: 'Gt', values: ['x'] },
  { key: 'a', operator: 'Lt', values: ['1', '2'] },
  { key: 'a', operator: 'Lt' },
];
export const selectors: readonly Json[] = [
  {},
  { matchLabels: { a: 'b' } },
  { matchLabels: { 'a b': 'b' } },
  { matchLabels: { a: 'b c' } },
  ...expressions.map((e) => ({ matchExpressions: [e] })),
];
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const podTerms: readonly JsonObject[] = [
  { topologyKey: 'zone' },
  { topologyKey: '' },
  { topologyKey: 'a b' },
  { topologyKey: 'zone', namespaces: ['a', 'B'] },
  { topologyKey: 'zone', namespaces: ['a.b'] },
  { topologyKey: 'zone', matchLabelKeys: ['a'] },
  { topologyKey: 'zone', matchLabelKeys: ['a'], labelSelector: {} },
  { topologyKey: 'zone', matchLabelKeys: ['a b'], labelSelector: {} },
  { topologyKey: 'zone', mismatchLabelKeys: ['a'], labelSelector: {} },
  { topologyKey: 'zone', matchLabelKeys: ['a'], mismatchLabelKeys: ['a'], labelSelector: {} },
  { topologyKey: 'zone', matchLabelKeys: ['a'], labelSelector: { matchLabels: { a: 'b' } } },
  ...selectors.map((labelSelector) => ({ topologyKey: 'zone', labelSelector })),
  ...selectors.map((namespaceSelector) => ({ topologyKey: 'zone', namespaceSelector })),
];
const weights = [-1, 0, 1, 100, 101];
export const affinities: readonly Json[] = [
  {},
  { nodeAffinity: {} },
  { nodeAffinity: { [required]: { nodeSelectorTerms: [] } } },
  { nodeAffinity: { [required]: { nodeSelectorTerms: [{}] } } },
  ...nodeExpressions.map((e) => ({ nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: [e] }] } } })),
  ...nodeExpressions.map((e) => ({ nodeAffinity: { [preferred]: [{ weight: 1, preference: { matchExpressions: [e] } }] } })),
  ...[
    ...expressions,
    { key: 'metadata.name', operator: 'In', values: ['n'] },
    { key: 'metadata.name', operator: 'In', values: ['N'] },
    { key: 'metadata.name', operator: 'In', values: ['n', 'm'] },
  ].map((e) => ({
    nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchFields: [e] }] } },
  })),
  ...weights.map((weight) => ({ nodeAffinity: { [preferred]: [{ weight, preference: {} }] } })),
  ...podTerms.map((term) => ({ podAffinity: { [required]: [term] } })),
  ...podTerms.map((term) => ({ podAntiAffinity: { [required]: [term] } })),
  ...podTerms.slice(0, 4).map((podAffinityTerm) => ({ podAntiAffinity: { [preferred]: [{ weight: 5, podAffinityTerm }] } })),
  ...weights.map((weight) => ({ podAffinity: { [preferred]: [{ weight, podAffinityTerm: { topologyKey: 'zone' } }] } })),
];
export const tolerations: readonly Json[] = [
  [{}],
  [{ operator: 'Exists' }],
  [{ operator: 'Exists', value: 'x' }],
  [{ operator: 'Equal' }],
  [{ key: 'a' }],
  [{ key: 'a', value: 'x' }],
  [{ key: 'a', value: 'x y' }],
  [{ key: 'a', value: long(64) }],
  [{ key: 'a b', operator: 'Exists' }],
  [{ key: 'a', operator: 'Exists', value: 'x' }],
  [{ key: 'a', operator: 'Is' }],
  [{ key: 'a', operator: 'Gt', value: '1' }],
  [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  [{ key: 'a', operator: 'Exists', effect: 'Never' }],
  [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
  [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: -5 }],
  [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }],
  [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }],
  [{ key: 'a' }, { key: 'a' }],
];
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
export const spreads: readonly Json[] = [
  [spread],
  [{ ...spread, maxSkew: 0 }],
  [{ ...spread, maxSkew: -1 }],
  [{ ...spread, topologyKey: '' }],
  [{ ...spread, topologyKey: 'a b' }],
  [{ ...spread, whenUnsatisfiable: 'Never' }],
  [{ ...spread, whenUnsatisfiable: '' }],
  [spread, spread],
  [spread, { ...spread, whenUnsatisfiable: 'ScheduleAnyway' }],
  [{ ...spread, minDomains: 0 }],
  [{ ...spread, minDomains: 2 }],
  [{ ...spread, minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway' }],
  [{ ...spread, nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' }],
  [{ ...spread, nodeAffinityPolicy: 'x' }],
  [{ ...spread, nodeTaintsPolicy: '' }],
  [{ ...spread, matchLabelKeys: ['a'] }],
  [{ ...spread, matchLabelKeys: ['a'], labelSelector: {} }],
  [{ ...spread, matchLabelKeys: ['a b'], labelSelector: {} }],
  [{ ...spread, matchLabelKeys: ['a'], labelSelector: { matchLabels: { a: 'b' } } }],
  ...selectors.map((labelSelector) => [{ ...spread, labelSelector }]),
];
