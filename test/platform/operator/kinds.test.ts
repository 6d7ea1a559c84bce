import { describe, expect, test } from 'vitest';
import { type JsonObject, listAt } from '../../../lib/json/index.ts';
import { atPath } from '../../../lib/platform/go-values.ts';
import { mergeLayers } from '../../../lib/platform/merge.ts';
import { operatorArguments } from '../../../lib/platform/operator/arguments.ts';
import { flagOf, knownFlags } from '../../../lib/platform/operator/published-releases.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';
import { flagTable } from '../../../lib/runtime/flag-table.ts';
import { parseFlags } from '../../../lib/runtime/go-flags.ts';
import { checkManagerOptions, checkOptions, readOptions } from '../../../lib/runtime/options.ts';

const own: JsonObject = { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/dynamo/o:1.2.3' } } };
const tagged = (tag: string): JsonObject => ({ 'dynamo-operator': { controllerManager: { manager: { image: { tag } } } } });

/** Values that between them render every flag. */
const everyFlag: readonly JsonObject[] = [
  {},
  {
    'dynamo-operator': {
      namespaceRestriction: { enabled: true },
      discoveryBackend: 'etcd',
      modelExpressURL: 'http://express',
      dynamo: {
        ingress: { enabled: true, className: 'nginx' },
        istio: { enabled: true, gateway: 'g' },
        ingressHostSuffix: 'example.com',
        virtualServiceSupportsHTTPS: true,
        metrics: { prometheusEndpoint: 'http://p' },
      },
    },
    platform: { operator: { logLevel: 'debug' } },
  },
];
const flagsOf = (values: JsonObject, options = {}) => operatorArguments(values, options).map(flagOf);

describe('kind original', () => {
  test.each(['0.8.0', '0.8.1', '0.9.0', '0.9.1'])('renders only flags that release %s takes', (tag) => {
    for (const values of everyFlag) {
      const all = mergeLayers([values, tagged(tag)]);
      expect(renderPlatform(all).issues).toEqual([]);
      for (const flag of flagsOf(all)) expect(knownFlags('original', tag)).toContain(flag);
    }
  });

  test('is the default, with the newest release that takes flags, and without the role of endpoint pickers', () => {
    const text = JSON.stringify(renderPlatform({}).objects);
    expect(text).toContain('nvcr.io/nvidia/ai-dynamo/kubernetes-operator:0.9.1');
    expect(flagsOf({})).not.toContain('epp-cluster-role-name');
    expect(flagsOf({})).toContain('planner-cluster-role-name');
  });

  test.each(['1.0.0', 'v1.4.1', '1.2.1-rc1', `1.3.1@sha256:${'a'.repeat(64)}`])('refuses %s, which takes a file', (tag) => {
    expect(renderPlatform(tagged(tag)).issues).toMatchObject([
      { code: 'operator_release', message: expect.stringContaining('takes a configuration file instead of flags') },
    ]);
  });

  test('refuses a release that lacks a flag, and takes it when the values turn the flag off', () => {
    expect(renderPlatform(tagged('0.7.1')).issues).toMatchObject([
      { message: expect.stringContaining('--enable-webhooks and would not start; set dynamo-operator.webhook.enabled=false') },
    ]);
    const off = mergeLayers([tagged('0.7.1'), { 'dynamo-operator': { webhook: { enabled: false } } }]);
    expect(renderPlatform(off).issues).toEqual([]);
  });

  test('refuses a flag of the values that the release does not know, with the nearest it does', () => {
    const args = ['--zap-devel=true', '--leader-elekt'];
    expect(renderPlatform({ 'dynamo-operator': { controllerManager: { manager: { args } } } }).issues).toMatchObject([
      { code: 'unknown_flag', message: expect.stringContaining('--leader-elekt and would not start; did you mean leader-elect') },
    ]);
  });

  test.each([
    ['config=/etc/operator.yaml', '1.0.0'],
    ['operator-image=x', '1.4.1'],
  ])('refuses --%s, and says which release it came with', (argument, release) => {
    const args = ['--health-probe-bind-address=:8081', `--${argument}`];
    expect(renderPlatform({ 'dynamo-operator': { controllerManager: { manager: { args } } } }).issues).toMatchObject([
      { code: 'unknown_flag', message: expect.stringContaining(`it came with release ${release}`) },
    ]);
  });

  test.each([
    ['0.8.7', '0.8.1'],
    ['0.9.2', '0.9.1'],
    ['v0.10.0-rc1', '0.9.1'],
  ])('warns of %s, which names a release that is not known, and takes it for %s', (tag, taken) => {
    const { warnings } = renderPlatform(tagged(tag));
    const message = `'${tag}' names no known release of the operator; the flags of ${taken} are rendered`;
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'unknown_release', message }));
  });

  test('warns of a tag that names no release', () => {
    expect(renderPlatform(tagged('nightly')).warnings).toContainEqual(expect.objectContaining({ code: 'unknown_release' }));
    for (const tag of ['0.9.1', 'v0.9.0', '0.9.1-rc2', ''])
      expect(renderPlatform(tagged(tag)).warnings.map((w) => w.code)).not.toContain('unknown_release');
  });

  test('profile parity renders as recorded and warns that the operator does not start', () => {
    const { issues, warnings } = renderPlatform({}, { profile: 'parity' });
    expect(issues).toEqual([]);
    expect(flagsOf({}, { profile: 'parity' })).toContain('epp-cluster-role-name');
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: 'operator_release',
        message: expect.stringContaining('--epp-cluster-role-name, --enable-webhooks and would not start'),
      }),
    );
  });
});

describe('kind dynamo-cdk8s', () => {
  const { objects, issues, notes } = renderPlatform(own);
  const pod = atPath(
    objects.find((o) => o.kind === 'Deployment' && o.metadata.name.endsWith('controller-manager')),
    'spec.template.spec',
  );

  test('who scrapes it shows a token and may be given the right to read', () => {
    const { objects: monitored } = renderPlatform(own, { apiVersions: ['monitoring.coreos.com/v1'] });
    const monitor = monitored.find(({ kind }) => kind === 'ServiceMonitor');
    expect(atPath(monitor, 'spec.endpoints')).toMatchObject([
      { bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token', scheme: 'https' },
    ]);
    const reader = monitored.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.endsWith('-metrics-reader'));
    expect(atPath(reader, 'rules')).toEqual([{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
  });

  test('the table of its flags is that of the operator', () => {
    expect([...knownFlags('dynamo-cdk8s', '')].toSorted()).toEqual(flagTable.map(({ name }) => name).toSorted());
  });

  test('renders only flags that the operator takes, and values it starts with', () => {
    for (const values of everyFlag) {
      const parsed = parseFlags(flagTable, operatorArguments(mergeLayers([values, own])));
      if (!('values' in parsed)) throw new Error(JSON.stringify(parsed));
      expect(parsed.rest).toEqual([]);
      const options = readOptions(parsed.values, {});
      expect(checkOptions(options) ?? checkManagerOptions(options)).toBeUndefined();
    }
    expect(flagsOf(own)).toContain('epp-cluster-role-name');
  });

  test('makes its own certificate and serves its metrics itself, so that nothing else is needed', () => {
    expect(issues).toEqual([]);
    expect(notes.join()).not.toContain('cert-manager');
    expect(listAt(atPath(pod, 'containers'))).toMatchObject([
      {
        name: 'manager',
        image: 'registry.example.com/dynamo/o:1.2.3',
        args: expect.arrayContaining([
          '--metrics-bind-address=:8443',
          '--metrics-secure',
          '--webhook-certificates=self-managed',
          '--operator-version=1.2.3',
        ]),
        ports: [{ containerPort: 8443, name: 'https' }, { containerPort: 9443 }],
      },
    ]);
    expect(JSON.stringify(pod)).not.toContain('127.0.0.1:8080');
    expect(objects.map((o) => o.kind)).not.toContain('Certificate');
  });

  test('may ask the API server about readers of its metrics', () => {
    const reviews = objects.filter((o) => JSON.stringify(o['rules'] ?? null).includes('tokenreviews'));
    const bound = objects.filter((o) => o.kind === 'ClusterRoleBinding').map((o) => atPath(o, 'roleRef.name'));
    expect(reviews.some((o) => bound.includes(o.metadata.name))).toBe(true);
  });

  test('keeps the metrics address of the values', () => {
    const args = ['--metrics-bind-address=:9000'];
    const given = renderPlatform(mergeLayers([own, { 'dynamo-operator': { controllerManager: { manager: { args } } } }]));
    const text = JSON.stringify(given.objects);
    expect(text).toContain('"containerPort":9000');
    expect(text).not.toContain(':8443"');
  });

  test('needs an image, since none is published', () => {
    expect(renderPlatform({ platform: { operator: { kind: 'dynamo-cdk8s' } } }).issues).toMatchObject([
      { path: ['platform', 'operator', 'image'], message: expect.stringContaining('npm run image') },
    ]);
  });

  test('leaves the certificate to cert-manager or to somebody else where the values say so', () => {
    const withCertManager = mergeLayers([own, { 'dynamo-operator': { webhook: { certManager: { enabled: true } } } }]);
    expect(renderPlatform(withCertManager).objects.map((o) => o.kind)).toContain('Certificate');
    expect(operatorArguments(withCertManager).join()).not.toContain('self-managed');
  });
});
