/** The schema of the chart rejects the values that `platform` rejects, if the chart has them; combinations of values are left to its guards. */
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { chartValuesSchema } from '../../../lib/gitops/helm/values-schema.ts';
import { mergeLayers } from '../../../lib/platform/merge.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';
import { atPath } from '../../../lib/platform/go-values.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { sets } from '../../cluster/helm-chart-values.ts';
import { chartValues } from './quick-chart.ts';
import { valueMutations, valuesWith, type ValueMutation } from '../../platform/value-mutations.ts';

interface SchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

const documented = chartValues().filter(({ path }) => path !== 'graphs.enabled');
const schema: SchemaNode = JSON.parse(JSON.stringify(chartValuesSchema(documented)));
const accepts = new Ajv({ strict: false }).compile(schema);

function leaves(node: SchemaNode, path = ''): readonly string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, inner]) =>
    inner.description === undefined ? leaves(inner, `${path}${key}.`) : [`${path}${key}`],
  );
}

/** Values that the schema of the platform knows as a part of something larger, by a value of the same form. */
const sameForm: Readonly<Record<string, string>> = {
  'nats.container.merge.resources': 'etcd.resources',
  'nats.podTemplate.merge.spec.tolerations': 'etcd.tolerations',
  'nats.podTemplate.merge.spec.nodeSelector': 'etcd.nodeSelector',
  'nats.podTemplate.merge.spec.priorityClassName': 'etcd.priorityClassName',
  'nats.statefulSet.merge.spec.updateStrategy': 'etcd.updateStrategy',
};

const known = new Set(leaves(schema));
const mutations = valueMutations().filter(({ path }) => known.has(path.join('.')));
const all: readonly ValueMutation[] = [
  ...mutations,
  ...Object.entries(sameForm).flatMap(([path, other]) =>
    mutations.filter((m) => m.path.join('.') === other).map(({ value }) => ({ path: path.split('.'), value })),
  ),
];

/** What the guards of the chart refuse; `test/cluster/helm-chart.test.ts` runs them. */
const byGuard = [
  'dynamo-operator.controllerManager.kubeRbacProxy.resources {"requests":{"memory":"2Gi"},"limits":{"memory":"1Gi"}}',
  'dynamo-operator.controllerManager.manager.resources {"requests":{"memory":"2Gi"},"limits":{"memory":"1Gi"}}',
  'etcd.resources {"requests":{"memory":"2Gi"},"limits":{"memory":"1Gi"}}',
  'nats.container.merge.resources {"requests":{"memory":"2Gi"},"limits":{"memory":"1Gi"}}',
  'platform.certificates.mode "external"',
];

test('the sets of values that helm and platform are compared with set every value between them', () => {
  const given = Object.values(sets).map(({ values }) => values as JsonObject);
  const unset = [...known].filter((path) => given.every((values) => atPath(values, path) === undefined));
  expect(unset).toEqual(['enabled', 'dynamo-operator.enabled']);
});

test('each single value that platform refuses is refused by the schema or by a guard', () => {
  expect(all.length).toBeGreaterThan(500);
  const missed = all
    .filter((mutation) => accepts(valuesWith(mutation)))
    .filter((mutation) => renderPlatform(mergeLayers([{ etcd: { enabled: true } }, valuesWith(mutation)]), {}).issues.length > 0);
  expect(missed.map(({ path, value }) => `${path.join('.')} ${JSON.stringify(value)}`).toSorted()).toEqual(byGuard);
});
