/** Kinds of the platform. The rules are those of pkg/apis/{policy,networking,apps,admissionregistration}/validation of Kubernetes. */
import { describe, expect, test } from 'vitest';
import { formatPath, type Json, type JsonObject } from '../../lib/json/index.ts';
import { checkObject } from '../../lib/rejections/index.ts';

const labels = { app: 'a' };
const metadata = { name: 'a' };

function refused(object: JsonObject): readonly string[] {
  return checkObject(object).map(({ field, message }) => `${formatPath(field)}: ${message}`);
}

describe('a PodDisruptionBudget', () => {
  const budget = (spec: JsonObject): readonly string[] =>
    refused({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { selector: { matchLabels: labels }, ...spec },
    });

  test.each<Json>([0, 1, '0%', '50%', '100%'])('may keep %s', (count) => {
    expect(budget({ minAvailable: count })).toEqual([]);
    expect(budget({ maxUnavailable: count })).toEqual([]);
  });

  test.each<[Json, string]>([
    [-1, 'must be greater than or equal to 0'],
    ['101%', 'must not be greater than 100%'],
    ['half', "must be a number, or a percentage such as '50%'"],
    ['-1%', "must be a number, or a percentage such as '50%'"],
  ])('rejects %s', (count, message) => {
    for (const key of ['minAvailable', 'maxUnavailable'])
      expect(budget({ [key]: count })).toEqual([`spec.${key}: Invalid value: ${JSON.stringify(count)}: ${message}`]);
  });

  test('rejects both counts, and a selector that is none', () => {
    expect(budget({ minAvailable: 1, maxUnavailable: 1 })).toEqual([expect.stringContaining('cannot be both set')]);
    expect(budget({ selector: { matchLabels: { 'a b': 'x' } } })).toEqual([
      expect.stringMatching(/^spec\.selector\.matchLabels: Invalid value: "a b"/),
    ]);
  });
});

describe('a NetworkPolicy', () => {
  const policy = (spec: JsonObject): readonly string[] =>
    refused({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec: { podSelector: {}, ...spec } });

  test.each<JsonObject>([
    {},
    { ingress: [{}], egress: [{ ports: [{ port: 53, protocol: 'UDP' }, { port: 'http' }, {}] }] },
    { ingress: [{ from: [{ podSelector: {}, namespaceSelector: {} }, { ipBlock: { cidr: '10.0.0.0/8' } }] }] },
  ])('may be %j', (spec) => expect(policy(spec)).toEqual([]));

  test.each<[JsonObject, string]>([
    [{ ingress: [{ from: [{}] }] }, 'spec.ingress[0].from[0]: Required value: must specify a peer'],
    [{ egress: [{}, { to: [{}] }] }, 'spec.egress[1].to[0]: Required value: must specify a peer'],
    [
      { egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }] }] },
      'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
    ],
    [
      { ingress: [{ ports: [{ port: 1, protocol: 'tcp' }] }] },
      'spec.ingress[0].ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
    ],
    [
      { egress: [{ ports: [{ port: 65_536 }] }] },
      'spec.egress[0].ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive',
    ],
  ])('rejects %j', (spec, message) => expect(policy(spec)).toEqual([message]));
});

describe('webhooks', () => {
  const service = { name: 's', namespace: 'n' };
  const sound = { name: 'a.b.c', clientConfig: { service }, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  const webhooks = (...changes: readonly JsonObject[]): readonly string[] =>
    refused({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata,
      webhooks: changes.map((change) => ({ ...sound, ...change })),
    });

  test.each<JsonObject>([
    {},
    { timeoutSeconds: 1 },
    { timeoutSeconds: 30 },
    { failurePolicy: 'Ignore' },
    { clientConfig: { url: 'https://x' } },
  ])('may have %j', (change) => expect(webhooks(change)).toEqual([]));

  test.each<[JsonObject, RegExp]>([
    [{ name: 'a.b' }, /^webhooks\[1\]\.name: Invalid value: "a\.b": should be a domain with at least three segments/],
    [{ name: 'A.b.c' }, /^webhooks\[1\]\.name: Invalid value: "A\.b\.c": a lowercase RFC 1123 subdomain/],
    [{ timeoutSeconds: 0 }, /^webhooks\[1\]\.timeoutSeconds: Invalid value: 0: .*between 1 and 30 seconds$/],
    [{ timeoutSeconds: 31 }, /^webhooks\[1\]\.timeoutSeconds: Invalid value: 31: .*between 1 and 30 seconds$/],
    [{ failurePolicy: 'fail' }, /^webhooks\[1\]\.failurePolicy: Unsupported value: "fail"/],
    [{ clientConfig: {} }, /^webhooks\[1\]\.clientConfig: Required value: exactly one of url or service is required$/],
    [{ clientConfig: { url: 'https://x', service } }, /^webhooks\[1\]\.clientConfig: Required value: exactly one/],
    [{ clientConfig: { service: { ...service, port: 0 } } }, /^webhooks\[1\]\.clientConfig\.service\.port: Invalid value: 0/],
    [{ objectSelector: { matchLabels: { 'a b': 'x' } } }, /^webhooks\[1\]\.objectSelector\.matchLabels: Invalid value: "a b"/],
  ])('reject %j', (change, message) => expect(webhooks({}, change)).toEqual([expect.stringMatching(message)]));
});

describe('a StatefulSet', () => {
  const set = (spec: JsonObject): readonly string[] =>
    refused({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: {
        serviceName: 'a',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        ...spec,
      },
    });

  test.each<JsonObject>([
    {},
    { replicas: 0, podManagementPolicy: 'Parallel', updateStrategy: { type: 'OnDelete' } },
    { updateStrategy: { rollingUpdate: { partition: 0 } } },
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' } },
  ])('may be %j', (spec) => expect(set(spec)).toEqual([]));

  test.each<[JsonObject, RegExp]>([
    [{ replicas: -1 }, /^spec\.replicas: Invalid value: -1: must be greater than or equal to 0$/],
    [{ podManagementPolicy: 'parallel' }, /^spec\.podManagementPolicy: Invalid value: "parallel": must be/],
    [{ serviceName: 'A' }, /^spec\.serviceName: Invalid value: "A"/],
    [{ updateStrategy: { type: 'Recreate' } }, /^spec\.updateStrategy: Invalid value/],
    [{ updateStrategy: { type: 'OnDelete', rollingUpdate: {} } }, /^spec\.updateStrategy\.rollingUpdate: Invalid value/],
    [{ updateStrategy: { rollingUpdate: { partition: -1 } } }, /^spec\.updateStrategy\.rollingUpdate\.partition: Invalid value/],
    [
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep' } },
      /^spec\.persistentVolumeClaimRetentionPolicy\.whenDeleted: Unsupported value: "Keep"/,
    ],
  ])('rejects %j', (spec, message) => expect(set(spec)).toEqual([expect.stringMatching(message)]));
});

describe('a path of an Ingress', () => {
  const backend = { service: { name: 's', port: { number: 80 } } };
  const ingress = (path: JsonObject): readonly string[] =>
    refused({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata,
      spec: { rules: [{ http: { paths: [{ backend, ...path }] } }] },
    });

  test.each<JsonObject>([
    { pathType: 'Prefix', path: '/' },
    { pathType: 'ImplementationSpecific' },
    { pathType: 'ImplementationSpecific', path: '/a' },
  ])('may be %j', (path) => expect(ingress(path)).toEqual([]));

  test.each<[JsonObject, string]>([
    [{ path: '/' }, 'pathType: Required value: pathType must be specified'],
    [{ pathType: 'Prefix' }, 'path: Invalid value: "": must be an absolute path'],
    [{ pathType: 'Exact', path: 'a' }, 'path: Invalid value: "a": must be an absolute path'],
    [{ pathType: 'ImplementationSpecific', path: 'a' }, 'path: Invalid value: "a": must be an absolute path'],
  ])('rejects %j', (path, message) => expect(ingress(path)).toEqual([`spec.rules[0].http.paths[0].${message}`]));
});

describe('the ports of a Service', () => {
  const service = (...ports: readonly JsonObject[]): readonly string[] =>
    refused({ apiVersion: 'v1', kind: 'Service', metadata, spec: { ports } });

  test('may share a number with another protocol', () => {
    expect(service({ name: 'dns', port: 53 }, { name: 'dns-udp', port: 53, protocol: 'UDP' })).toEqual([]);
  });

  test('have a number and a name of their own', () => {
    expect(service({ name: 'a', port: 53 }, { name: 'b', port: 53, protocol: 'TCP' })).toEqual([
      expect.stringMatching(/^spec\.ports\[1\]: Duplicate value/),
    ]);
    expect(service({ name: 'a', port: 53 }, { name: 'a', port: 54 })).toEqual(['spec.ports[1].name: Duplicate value: "a"']);
    expect(service({ name: 'a', port: 53 }, { port: 54 })).toEqual(['spec.ports[1].name: Required value']);
  });
});
