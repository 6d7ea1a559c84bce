import { expect, test } from 'vitest';
import { candidatesOf, endpointsOf, serviceNames } from '../../../lib/reconcile/model/endpoint.ts';
import { endpoint, slice } from './snapshots.ts';

test('takes pods for candidates, and neither nodes nor endpoints without a target', () => {
  const node = { addresses: ['10.0.0.2'], targetRef: { kind: 'Node', name: 'n' } };
  const nobody = { addresses: ['10.0.0.3'] };
  const slices = [slice([endpoint('w', ['10.0.0.1']), node, nobody])];
  expect(candidatesOf(slices)).toEqual([{ address: 'http://10.0.0.1:9090', podName: 'w', ready: true }]);
});

test.each([
  ['not ready', { ready: false }, false],
  ['of unknown readiness', {}, true],
])('takes a pod that is %s for a candidate', (_name, conditions, ready) => {
  expect(candidatesOf([slice([endpoint('w', ['10.0.0.1'], conditions)])])).toMatchObject([{ podName: 'w', ready }]);
});

test('has two candidates of one pod with two addresses, and one endpoint', () => {
  const candidates = candidatesOf([slice([endpoint('w', ['10.0.0.2', '10.0.0.1'])])]);
  expect(candidates.map(({ address, podName }) => [address, podName])).toEqual([
    ['http://10.0.0.2:9090', 'w'],
    ['http://10.0.0.1:9090', 'w'],
  ]);
  expect(endpointsOf(candidates)).toEqual([{ address: 'http://10.0.0.1:9090', podName: 'w', ready: true }]);
});

test('writes an address of IP version 6 in brackets; a pod of two families is one endpoint', () => {
  const slices = [slice([endpoint('w', ['fd00::1'])]), slice([endpoint('w', ['10.0.0.1'])])];
  expect(candidatesOf(slices).map(({ address }) => address)).toEqual(['http://[fd00::1]:9090', 'http://10.0.0.1:9090']);
  expect(endpointsOf(candidatesOf(slices)).map(({ address }) => address)).toEqual(['http://10.0.0.1:9090']);
});

test('orders endpoints by pod and leaves those out that terminate', () => {
  const slices = [
    slice([endpoint('b', ['10.0.0.2']), endpoint('c', ['10.0.0.3'], { ready: false, terminating: true })]),
    slice([endpoint('a', ['10.0.0.9'])]),
  ];
  expect(endpointsOf(candidatesOf(slices)).map(({ podName }) => podName)).toEqual(['a', 'b']);
});

test.each([
  'evil.example',
  'cafe',
  'bad.de',
  'user@10.0.0.1',
  '10.0.0.1/x',
  '10.0.0.1:80@h',
  '',
  'fe80::1%eth0',
  '::1]:80/[',
  'a'.repeat(5000),
])('calls nothing at %j', (host) => {
  expect(candidatesOf([slice([endpoint('w', [host])])])).toEqual([]);
});

test('bears with slices that are not as they should be', () => {
  expect(
    candidatesOf([{}, { endpoints: null }, { endpoints: [1, null, { targetRef: 3 }, { targetRef: { kind: 'Pod' } }] }]),
  ).toEqual([]);
});

test('knows the Services of the slices', () => {
  expect([...serviceNames([slice([], 'one'), slice([], 'two'), slice([], 'one'), slice([], '')])]).toEqual(['one', 'two']);
});
