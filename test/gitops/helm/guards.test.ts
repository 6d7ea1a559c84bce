/** Combinations of values that the chart rejects although its schema accepts each value. */
import { describe, expect, test } from 'vitest';
import type { OperatorKind } from '../../../lib/platform/index.ts';
import { accepted, operator } from '../../cluster/helm-chart-values.ts';
import { templateFile } from './go-template/helm-template.ts';
import { quickChart } from './quick-chart.ts';

const check = (values: object, kind?: OperatorKind, name?: string): string =>
  templateFile(quickChart(kind), 'templates/validate.yaml', { values, ...(name === undefined ? {} : { name }) }).trim();
const tag = (value: string): object => operator({ controllerManager: { manager: { image: { tag: value } } } });
const lease = (duration: string, renewInterval: string, enabled = true): object =>
  operator({ namespaceRestriction: { enabled, lease: { duration, renewInterval } } });
const tooMuch = { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } };

const ca =
  'dynamo-operator.webhook.caBundle: is required with an external certificate: without the CA the API server refuses the webhook and, with failurePolicy Fail, every write';
const etcd = 'dynamo-operator.etcdAddr: is required with discoveryBackend etcd while etcd.enabled is false';
const mpi =
  'dynamo-operator.dynamo.mpiRun.secretName: must not be empty: the operator does not start without it; name a Secret with the keys private.key and private.key.pub';
const renew =
  'dynamo-operator.namespaceRestriction.lease.renewInterval: must be a duration above zero and shorter than lease.duration: the operator does not start otherwise';
const long =
  'dynamo-operator.fullnameOverride: the name of the webhook Service would have more than 63 characters; use a shorter release name or set fullnameOverride';
const password = 'must not hold a user and password: they would be readable in the pod and in Git; give them in a Secret';
const image = 'dynamo-operator.controllerManager.manager.image.tag';
const later = `${image}: releases from 1.0.0 on take a configuration file and not flags, which this chart does not write; use 0.9.1`;
const earlier = `${image}: releases before 0.8.0 do not know all flags of this chart and would not start; use 0.9.1`;

describe('the chart refuses', () => {
  test.each([
    ['an external certificate without its CA', { platform: { certificates: { mode: 'external' } } }, ca],
    ['etcd discovery without etcd', { ...operator({ discoveryBackend: 'etcd' }), etcd: { enabled: false } }, etcd],
    ['no Secret for MPI', operator({ dynamo: { mpiRun: { secretName: '' } } }), mpi],
    ['a lease renewed later than it ends', lease('30s', '1m'), renew],
    ['a lease renewed as it ends', lease('1m', '60s'), renew],
    ['a lease renewed all the time', lease('1m', '0s'), renew],
    ['a name that leaves no room for the webhook Service', operator({ fullnameOverride: 'a'.repeat(48) }), long],
    ['a password of NATS', operator({ natsAddr: 'nats://u:p@x:4222' }), `dynamo-operator.natsAddr: ${password}`],
    ['a password of etcd', operator({ etcdAddr: 'http://u:p@x:2379' }), `dynamo-operator.etcdAddr: ${password}`],
    ['a password of model express', operator({ modelExpressURL: 'http://u@x' }), `dynamo-operator.modelExpressURL: ${password}`],
    [
      'a password of Prometheus',
      operator({ dynamo: { metrics: { prometheusEndpoint: 'http://u:p@x/' } } }),
      `dynamo-operator.dynamo.metrics.prometheusEndpoint: ${password}`,
    ],
    ['a release that takes a configuration file', tag('1.0.0'), later],
    ['a later one with a digest', tag(`v10.4.1@sha256:${'a'.repeat(64)}`), later],
    ['a release that lacks flags', tag('0.7.9'), earlier],
    ['an earlier one of a branch', tag('v0.0.1-rc1'), earlier],
    [
      'more memory of the operator than its limit',
      operator({ controllerManager: { manager: { resources: tooMuch } } }),
      'dynamo-operator.controllerManager.manager.resources.requests.memory: must be at most',
    ],
    [
      'more memory of the metrics proxy than its limit',
      operator({ controllerManager: { kubeRbacProxy: { resources: tooMuch } } }),
      'dynamo-operator.controllerManager.kubeRbacProxy.resources.requests.memory: must be at most',
    ],
    [
      'more memory of NATS than its limit',
      { nats: { container: { merge: { resources: tooMuch } } } },
      'nats.container.merge.resources.requests.memory: must be at most',
    ],
    ['more memory of etcd than its limit', { etcd: { resources: tooMuch } }, 'etcd.resources.requests.memory: must be at most'],
  ])('%s', (_, values, message) => {
    expect(() => check(values)).toThrow(message);
  });

  test('a release name that leaves no room for the webhook Service', () => {
    expect(() => check({}, 'original', 'r'.repeat(32))).toThrow(long);
    expect(check({}, 'original', 'r'.repeat(31))).toBe('');
  });
});

describe('the chart takes', () => {
  test.each([
    ['its defaults', {}],
    ...Object.entries(accepted),
    [
      'an external certificate with its CA',
      { ...operator({ webhook: { caBundle: 'QUJD' } }), platform: { certificates: { mode: 'external' } } },
    ],
    [
      'an external certificate that no webhook uses',
      { ...operator({ webhook: { enabled: false } }), platform: { certificates: { mode: 'external' } } },
    ],
    ['a long name without webhooks', operator({ fullnameOverride: 'a'.repeat(63), webhook: { enabled: false } })],
    [
      'etcd discovery through another etcd',
      { ...operator({ discoveryBackend: 'etcd', etcdAddr: 'x' }), etcd: { enabled: false } },
    ],
    ['etcd discovery through its own etcd', operator({ discoveryBackend: 'etcd' })],
    ['Kubernetes discovery without etcd', { etcd: { enabled: false } }],
    ['a lease that nobody renews', lease('30s', '1m', false)],
    ['an address with an at sign in its path', operator({ modelExpressURL: 'http://x/@y' })],
    ['the releases with all flags', tag('0.8.0')],
    ['the next to them', tag('v0.9.9-rc1')],
    ['a tag that is no version', tag('main-1.0.0')],
    ['a tag that only begins as a version', tag('1.0')],
    ['a tag that goes on after a version', tag('0.7.1x')],
    [
      'anything about an operator that does not come',
      operator({
        enabled: false,
        natsAddr: 'nats://u:p@x',
        dynamo: { mpiRun: { secretName: '' } },
        fullnameOverride: 'a'.repeat(48),
        namespaceRestriction: { enabled: true, lease: { duration: '1s', renewInterval: '1s' } },
        controllerManager: { manager: { image: { tag: '1.0.0' }, resources: tooMuch } },
      }),
    ],
    [
      'an external certificate of no operator',
      { ...operator({ enabled: false }), platform: { certificates: { mode: 'external' } } },
    ],
    ['resources of NATS that does not come', { nats: { enabled: false, container: { merge: { resources: tooMuch } } } }],
    ['resources of etcd that does not come', { etcd: { enabled: false, resources: tooMuch } }],
  ])('%s', (_, values) => {
    expect(check(values)).toBe('');
  });
});

test('releases of the original say nothing about the operator of this package, which has no metrics proxy', () => {
  const values = { ...tag('1.0.0'), platform: { operator: { image: 'example.com/own:0.1.0' } } };
  expect(check(values, 'dynamo-cdk8s')).toBe('');
  expect(
    quickChart('dynamo-cdk8s').some(({ path, text }) => path.endsWith('validate.yaml') && text.includes('kubeRbacProxy')),
  ).toBe(false);
});
