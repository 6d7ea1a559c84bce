/** The chart is right when it renders, for any values, what `platform` renders for them. */
import { expect, test } from 'vitest';
import { helmChart, type ChartInput } from '../../../lib/gitops/helm/index.ts';
import type { OutputFile } from '../../../lib/gitops/layout.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { mergeLayers, renderPlatform } from '../../../lib/platform/index.ts';
import { sets, type ValueSet } from '../../cluster/helm-chart-values.ts';
import { helmTemplate, keyOf } from './go-template/helm-template.ts';

const json = (value: object): JsonObject => JSON.parse(JSON.stringify(value));
const make = (input: Partial<ChartInput> = {}): readonly OutputFile[] =>
  helmChart({ values: {}, options: {}, crds: [], graphs: [], ...input });

/** Compares what a chart makes of values with what `platform` makes of those and the ones the chart was made with. */
function compare(
  name: string,
  chart: readonly OutputFile[],
  set: ValueSet & { readonly namespace?: string },
  made: JsonObject = {},
): void {
  const { values, apiVersions = [], release = 'dynamo-platform', namespace = 'dynamo-system' } = set;
  const { objects, issues } = renderPlatform(mergeLayers([made, json(values)]), { release, namespace, apiVersions });
  const theirs = helmTemplate(chart, { values, name: release, namespace, apiVersions });
  expect(issues, name).toEqual([]);
  expect([...theirs.keys()].toSorted(), name).toEqual(objects.map(keyOf).toSorted());
  for (const object of objects) expect(theirs.get(keyOf(object)), `${name}: ${keyOf(object)}`).toEqual(json(object));
}

test('the chart of the original operator renders what platform renders, in any namespace', () => {
  const chart = make({ options: { namespace: 'made-in', release: 'made-as' } });
  for (const [name, set] of Object.entries(sets)) if (!set.own) compare(name, chart, set);
  compare('elsewhere', chart, { values: {}, release: 'mine', namespace: 'other' });
});

test('a chart that is made with values, and for the operator of this package, renders what platform renders with both', () => {
  const braces = '{{ .Release.Name }} }} {{ "{{" }} {{/* x */}} {{- fail "no" -}}';
  const values = {
    'dynamo-operator': {
      controllerManager: { replicas: 2, serviceAccount: { annotations: { braces } } },
      imagePullSecrets: [{ name: 'made' }],
    },
    etcd: { podSecurityContext: { fsGroup: 731003 }, replicaCount: 9, nodeSelector: { pool: 'made' } },
    nats: {
      config: { cluster: { enabled: true, replicas: 7 } },
      container: { env: { MARK: 'zz731004zz', BRACES: braces }, merge: { resources: { limits: { cpu: '1', memory: '1Gi' } } } },
    },
    global: { imagePullSecrets: ['made-for-all'] },
    grove: { enabled: true },
    platform: {
      operator: { kind: 'dynamo-cdk8s', image: 'example.com/made:0' },
      monitoring: { enabled: true, rules: true, dashboards: 'monitoring', scrapeConfig: true, labels: { release: 'made' } },
      networkPolicy: { clientNamespaceLabels: { team: 'made' } },
    },
  };
  const chart = make({ values });
  const given: Readonly<Record<string, object>> = {
    nothing: {},
    'one of two limits': { nats: { container: { merge: { resources: { limits: { cpu: '2' } } } } } },
    'another label and no longer the first': {
      platform: {
        networkPolicy: { clientNamespaceLabels: { team: null, part: 'given' } },
        monitoring: { labels: { more: 'x' } },
      },
    },
    'other pull secrets': { global: { imagePullSecrets: [] }, 'dynamo-operator': { imagePullSecrets: [{ name: 'given' }] } },
    'one server of each': { etcd: { replicaCount: 1 }, nats: { config: { cluster: { enabled: false } } } },
    'a node pool': { etcd: { nodeSelector: { disk: 'fast' } }, 'dynamo-operator': { controllerManager: { replicas: 1 } } },
  };
  for (const [name, set] of Object.entries(sets)) if (set.own) compare(name, chart, set, values);
  for (const [name, set] of Object.entries(given)) compare(name, chart, { values: set }, values);
});
