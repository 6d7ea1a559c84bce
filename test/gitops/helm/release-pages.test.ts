/** What users of a chart read: its README, the notes that helm prints after an install, and the pod of `helm test`. */
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { chartFile } from '../../../lib/gitops/helm/chart-file.ts';
import { notesTemplate } from '../../../lib/gitops/helm/notes.ts';
import type { ChartValue } from '../../../lib/gitops/helm/open-values.ts';
import { chartReadme } from '../../../lib/gitops/helm/readme.ts';
import { platformVersion } from '../../../lib/platform/index.ts';
import { operator } from '../../cluster/helm-chart-values.ts';
import { templateFile, type Release } from './go-template/helm-template.ts';
import { chartValues, quickChart } from './quick-chart.ts';

describe('README.md', () => {
  const graphs = 'helm upgrade dynamo-platform . --namespace dynamo-system --reuse-values --set graphs.enabled=true';

  test('says how to install, test, upgrade and remove, and what must be there first', () => {
    const readme = chartReadme([], {}, ['cert-manager must be installed', 'the Secret x must exist']);
    expect(readme.match(/^#.*$/gm)).toEqual([
      '# dynamo-platform',
      '## Prerequisites',
      '## Install',
      '## Upgrade the CRDs',
      '## Remove',
      '## Values',
    ]);
    expect(readme).toContain('Helm 3.8 or newer\n- cert-manager must be installed\n- the Secret x must exist\n\n## Install');
    expect(readme).toContain('    helm install dynamo-platform . --namespace dynamo-system --create-namespace\n');
    expect(readme).toContain('    helm test dynamo-platform --namespace dynamo-system\n');
    expect(readme).toContain('    kubectl apply --server-side --force-conflicts -f crds/\n');
    expect(readme).not.toContain('graphs.enabled');
    expect(readme).toContain('You can choose any release name and namespace.\n\n## Upgrade');
  });

  test('says when to install graphs where there are some', () => {
    expect(chartReadme(chartValues(), {}, [])).toContain(`    ${graphs}\n`);
  });

  test.each([
    ['string', {}, '| `a.b` | string | `""` | about it |'],
    ['number', {}, '| `a.b` | integer | `0` | about it |'],
    ['boolean', {}, '| `a.b` | boolean | `false` | about it |'],
    ['map', {}, '| `a.b` | object | `{}` | about it |'],
    ['list', {}, '| `a.b` | list | `[]` | about it |'],
    ['boolean', { nullable: true }, '| `a.b` | boolean or null | `false` | about it |'],
    ['string', { choices: ['x', 'y'] }, '| `a.b` | string | `""` | about it: `x`, `y` |'],
    ['string', { description: 'one | two\nthree' }, '| `a.b` | string | `""` | one \\| two three |'],
  ] as const)('has a row for a value of type %s with %j', (type, more, row) => {
    const value: ChartValue = { path: 'a.b', type, description: 'about it', ...more };
    expect(chartReadme([value], {}, [])).toContain(`|---|---|---|---|\n${row}\n`);
  });

  test('shows the value that the chart was made with, one row each', () => {
    const values: readonly ChartValue[] = [
      { path: 'a', type: 'string', description: 'first' },
      { path: 'b', type: 'number', description: 'second' },
    ];
    expect(chartReadme(values, { a: 'x|y', b: 3 }, [])).toContain(
      '| `a` | string | `"x\\|y"` | first |\n| `b` | integer | `3` | second |\n',
    );
  });
});

describe('NOTES.txt', () => {
  const notes = (release: Release = {}): string => templateFile(quickChart(), 'templates/NOTES.txt', release);
  const certManager = 'cert-manager was not found: the operator waits for the Secret webhook-server-cert.';
  const noNats = 'The release does not include NATS and dynamo-operator.natsAddr is empty: graphs get no NATS_SERVER.';

  test('say what was installed where, and what to do next', () => {
    const text = notes({ name: 'mine', namespace: 'here' });
    expect(text).toContain(`The Dynamo platform ${platformVersion} is installed in here as mine.`);
    expect(text).toContain('kubectl -n here get pods -l control-plane=controller-manager');
    expect(text).toContain('helm test mine --namespace here');
    expect(text).toContain('create the Secret mpi-run-ssh-secret with the keys private.key and private.key.pub');
    expect(text).toContain('helm upgrade mine CHART --namespace here --reuse-values --set graphs.enabled=true');
  });

  test.each([
    ['cert-manager is missing', {}, [], [certManager], [noNats]],
    ['cert-manager is there', {}, ['cert-manager.io/v1'], [], [certManager, noNats]],
    ['no webhook needs it', operator({ webhook: { enabled: false } }), [], [], [certManager]],
    ['there is no NATS', { nats: { enabled: false } }, [], [noNats], []],
    ['NATS is elsewhere', { ...operator({ natsAddr: 'x' }), nats: { enabled: false } }, [], [], [noNats]],
    ['graphs are in', { graphs: { enabled: true } }, [], [], ['graphs.enabled=true']],
  ])('where %s', (_, values, apiVersions, said, unsaid) => {
    const text = notes({ values, apiVersions });
    for (const line of said) expect(text).toContain(line);
    for (const line of unsaid) expect(text).not.toContain(line);
  });

  test('say nothing of graphs that a chart does not have', () => {
    expect(notesTemplate(false)).not.toContain('graphs.enabled');
    expect(notesTemplate(false)).toMatch(/private\.key\.pub\.\n$/);
  });
});

describe('the pod of helm test', () => {
  const pod = (values: object = {}, name = 'mine') =>
    parse(templateFile(quickChart(), 'templates/tests/connection.yaml', { values, name, namespace: 'here' }));
  const calls = (values?: object): readonly string[] => pod(values).spec.containers[0].command[2].match(/^nc .*$/gm) ?? [];

  test('connects to every Service that the release brings', () => {
    expect(calls()).toEqual([
      'nc -z -w 10 mine-dynamo-operator-webhook-service 443',
      'nc -z -w 10 mine-nats 4222',
      'nc -z -w 10 mine-etcd 2379',
    ]);
    expect(calls({ etcd: { enabled: false }, ...operator({ webhook: { enabled: false } }) })).toEqual([
      'nc -z -w 10 mine-nats 4222',
    ]);
    expect(calls({ nats: { enabled: false }, ...operator({ enabled: false }) })).toEqual(['nc -z -w 10 mine-etcd 2379']);
  });

  test('runs in the release namespace with the image of NATS and its pull secrets, and passes Pod Security', () => {
    const { metadata, spec } = pod({
      global: { imageRegistry: 'mirror.io', imagePullSecrets: ['pull'] },
      nats: { container: { image: { tag: '2.12' } } },
    });
    expect(metadata).toMatchObject({
      name: 'mine-test',
      namespace: 'here',
      annotations: { 'helm.sh/hook': 'test', 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded' },
    });
    expect(spec).toMatchObject({
      restartPolicy: 'Never',
      imagePullSecrets: [{ name: 'pull' }],
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          image: 'mirror.io/library/nats:2.12',
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    });
    expect(pod().spec).not.toHaveProperty('imagePullSecrets');
  });
});

test('Chart.yaml is of a chart of Helm 3, of the given version or the platform version', () => {
  expect(parse(chartFile('dynamo-crds', 'Definitions', '2.0.0'))).toEqual({
    apiVersion: 'v2',
    name: 'dynamo-crds',
    description: 'Definitions',
    type: 'application',
    version: '2.0.0',
    appVersion: platformVersion,
    kubeVersion: '>=1.28.0-0',
    icon: expect.stringMatching(/^https:\/\/.*\.ico$/),
    home: expect.stringMatching(/^https:\/\/docs\.nvidia\.com\//),
    keywords: ['dynamo', 'inference', 'llm', 'gpu'],
    maintainers: [{ name: 'dynamo-cdk8s' }],
  });
  expect(parse(chartFile('x', 'y')).version).toBe(platformVersion);
});
