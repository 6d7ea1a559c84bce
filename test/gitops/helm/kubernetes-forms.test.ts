/** Parts of pods that users pass through the chart: what the API server accepts and what it rejects. */
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import * as forms from '../../../lib/gitops/helm/kubernetes-forms.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const node = (...matchExpressions: readonly object[]): object => ({
  nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions }] } },
});
const field = (matchField: object): object => ({
  nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchFields: [matchField] }] } },
});
const pods = (term: object): object => ({ podAntiAffinity: { [required]: [{ topologyKey: 'zone', ...term }] } });
const selector = (labelSelector: unknown): object => pods({ labelSelector });
const seldom = (weight: unknown): object => ({
  podAffinity: { [preferred]: [{ weight, podAffinityTerm: { topologyKey: 'zone' } }] },
});
const long = 'a'.repeat(63);

const cases: Readonly<Record<string, { readonly taken: readonly unknown[]; readonly refused: readonly unknown[] }>> = {
  labels: {
    taken: [{}, { a: '' }, { 'x.io/a': 'b' }, { [long]: long }, { 'A_b.c-1': 'D_e.f-2' }, { [`${'d'.repeat(253)}/a`]: '' }],
    refused: [
      ...['', 'a b', '-a', 'a-', `${long}a`, 'X.io/a', 'x.io/', '/a', `${'d'.repeat(254)}/a`].map((key) => ({ [key]: '' })),
      ...['b c', '-b', 'b-', `${long}a`, 1].map((value) => ({ a: value })),
    ],
  },
  resources: {
    taken: [
      {},
      { limits: null, requests: null },
      { limits: { cpu: 1, memory: '1Gi', 'ephemeral-storage': '1e3' } },
      { requests: { cpu: 0.5 } },
      { requests: { cpu: '.5', memory: '5.' } },
      { requests: { cpu: '+100m', memory: '1E' } },
      { limits: { 'hugepages-2Mi': '4Mi' } },
      { limits: { 'nvidia.com/gpu': 2, 'x.io/fpga': '1k' } },
    ],
    refused: [
      { limit: {} },
      { claims: [] },
      { limits: ['cpu'] },
      { limits: { gpu: 1 } },
      { limits: { cpu: -1 } },
      { limits: { cpu: '-1' } },
      { limits: { cpu: '1 core' } },
      { limits: { memory: '2GB' } },
      { limits: { memory: '2gi' } },
      { limits: { memory: '' } },
      { limits: { memory: '.' } },
      { limits: { 'hugepages-2M': '2Mi' } },
      { limits: { 'nvidia.com/gpu': '0.5' } },
      { limits: { 'nvidia.com/gpu': 0.5 } },
      { limits: { 'nvidia.com/gpu': '500m' } },
      { limits: { 'nvidia.com/gpu': -1 } },
      { limits: { 'x/': 1 } },
    ],
  },
  tolerations: {
    taken: [
      [],
      [{ operator: 'Exists' }],
      [{ operator: 'Exists', key: '' }],
      [{ operator: 'Exists', value: '' }],
      [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
      [{ key: 'a', operator: '', effect: '' }],
      [{ key: 'a' }],
      [{ key: 'x.io/a', effect: 'PreferNoSchedule' }],
      [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 10 }],
    ],
    refused: [
      [{}],
      [{ operator: 'Equal' }],
      [{ operator: 'Equals', key: 'a' }],
      [{ operator: 'Exists', value: 'x' }],
      [{ key: 'a b' }],
      [{ key: 'a', value: 'b c' }],
      [{ key: 'a', effect: 'NoScheduling' }],
      [{ key: 'a', tolerationSeconds: 10 }],
      [{ key: 'a', tolerationSeconds: 10, effect: 'NoSchedule' }],
      [{ key: 'a', tolerationSeconds: 'ten', effect: 'NoExecute' }],
      [{ keys: 'a', operator: 'Exists' }],
      ['a'],
    ],
  },
  affinity: {
    taken: [
      {},
      node({ key: 'a', operator: 'In', values: ['x'] }),
      node({ key: 'a', operator: 'NotIn', values: ['x', 'y'] }),
      node({ key: 'a', operator: 'Exists' }),
      node({ key: 'a', operator: 'DoesNotExist', values: [] }),
      node({ key: 'a', operator: 'Gt', values: ['1'] }),
      node({ key: 'a', operator: 'Lt', values: ['1'] }),
      field({ key: 'metadata.name', operator: 'In', values: ['n'] }),
      { nodeAffinity: { [preferred]: [{ weight: 1, preference: {} }] } },
      { nodeAffinity: { [preferred]: null } },
      pods({ namespaces: ['n'], matchLabelKeys: ['a'], mismatchLabelKeys: ['b'], namespaceSelector: {} }),
      selector(null),
      selector({ matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] }),
      selector({ matchLabels: null, matchExpressions: null }),
      seldom(1),
      seldom(100),
    ],
    refused: [
      { nodeAfinity: {} },
      { nodeAffinity: [] },
      { nodeAffinity: { [required]: {} } },
      { nodeAffinity: { [required]: { nodeSelectorTerms: [] } } },
      { nodeAffinity: { [required]: { nodeSelectorTerms: null } } },
      { nodeAffinity: { [required]: { nodeSelectorTerms: [{ labels: {} }] } } },
      { nodeAffinity: { required: {} } },
      node({ key: 'a', operator: 'In' }),
      node({ key: 'a', operator: 'In', values: [] }),
      node({ key: 'a', operator: 'NotIn', values: [] }),
      node({ key: 'a', operator: 'Gt' }),
      node({ key: 'a', operator: 'Lt' }),
      node({ key: 'a', operator: 'Exists', values: ['x'] }),
      node({ key: 'a', operator: 'Is', values: ['x'] }),
      node({ key: 'a b', operator: 'Exists' }),
      node({ key: 'a' }),
      node({ operator: 'Exists' }),
      node({ key: 'a', operator: 'In', values: [1] }),
      field({ key: 'metadata.name', operator: 'Exists' }),
      { nodeAffinity: { [preferred]: [{ weight: 1 }] } },
      { nodeAffinity: { [preferred]: [{ preference: {} }] } },
      { podAntiAffinity: { [required]: [{ labelSelector: {} }] } },
      { podAffinity: { [required]: [{ labelSelector: {} }] } },
      pods({ topologyKey: '' }),
      pods({ topology: 'x' }),
      pods({ namespaces: [1] }),
      selector({ labels: {} }),
      selector({ matchLabels: { 'a b': 'c' } }),
      selector({ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }),
      seldom(0),
      seldom(101),
      seldom(1.5),
      seldom(undefined),
      { podAffinity: { [preferred]: [{ weight: 1 }] } },
    ],
  },
  deploymentStrategy: {
    taken: [
      {},
      { type: '' },
      { type: 'Recreate' },
      { type: 'RollingUpdate' },
      { rollingUpdate: {} },
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      { rollingUpdate: { maxSurge: '9999%', maxUnavailable: '100%' } },
      { rollingUpdate: { maxSurge: 0 } },
      { rollingUpdate: { maxUnavailable: '0%' } },
    ],
    refused: [
      { type: 'OnDelete' },
      { types: 'Recreate' },
      { type: 'Recreate', rollingUpdate: {} },
      { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
      { rollingUpdate: { maxSurge: '0%', maxUnavailable: '0%' } },
      { rollingUpdate: { maxSurge: -1 } },
      { rollingUpdate: { maxSurge: '1' } },
      { rollingUpdate: { maxSurge: 1.5 } },
      { rollingUpdate: { maxUnavailable: '101%' } },
      { rollingUpdate: { maxUnavailable: -1 } },
      { rollingUpdate: { partition: 1 } },
    ],
  },
  updateStrategy: {
    taken: [
      {},
      { type: '' },
      { type: 'OnDelete' },
      { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: '50%' } },
      { rollingUpdate: { maxUnavailable: 1 } },
    ],
    refused: [
      { type: 'Recreate' },
      { types: 'OnDelete' },
      { type: 'OnDelete', rollingUpdate: {} },
      { rollingUpdate: { partition: -1 } },
      { rollingUpdate: { partition: '1' } },
      { rollingUpdate: { maxSurge: 1 } },
      { rollingUpdate: { maxUnavailable: '101%' } },
    ],
  },
};

describe.each(Object.entries(cases))('%s', (name, { taken, refused }) => {
  const form = Object.entries(forms).find(([key]) => key === name)?.[1] ?? {};
  const takes = (value: unknown): boolean => new Ajv({ strict: false }).compile(form)(JSON.parse(JSON.stringify(value)));

  test.each(taken.map((value) => JSON.stringify(value)))('takes %s', (value) => {
    expect(takes(JSON.parse(value))).toBe(true);
  });

  test.each(refused.map((value) => JSON.stringify(value)))('refuses %s', (value) => {
    expect(takes(JSON.parse(value))).toBe(false);
  });
});
