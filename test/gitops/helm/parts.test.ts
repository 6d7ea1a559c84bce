/**
 * The templates of each part render what `platform` renders for it. A chart is generated for all combinations of the deciding values, which takes a
 * second; here only for those that the tested values decide about.
 */
import { describe, expect, test } from 'vitest';
import { etcdDecisions, natsDecisions, operatorDecisions, type DecidingValue } from '../../../lib/gitops/helm/deciding-values.ts';
import { openValues, valueExpression } from '../../../lib/gitops/helm/open-values.ts';
import { Placeholders } from '../../../lib/gitops/helm/placeholders.ts';
import { TemplateGenerator } from '../../../lib/gitops/helm/template-generator.ts';
import { isObject, type Json, type JsonObject } from '../../../lib/json/index.ts';
import { mergeLayers, parts, renderPlatform, type OperatorKind } from '../../../lib/platform/index.ts';
import { sets } from '../../cluster/helm-chart-values.ts';
import { helmTemplate, keyOf } from './go-template/helm-template.ts';
import { quickChart } from './quick-chart.ts';

const json = (value: object): JsonObject => JSON.parse(JSON.stringify(value));
const own = { platform: { operator: { kind: 'dynamo-cdk8s', image: 'example.com/made:0' } } };

/** Paths of the values that are not maps. */
function leaves(values: Json | undefined, path = ''): readonly string[] {
  if (!isObject(values) || Object.keys(values).length === 0) return [path];
  return Object.entries(values).flatMap(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`));
}

function decisionsOf(part: string, placeholders: Placeholders, kind: OperatorKind): readonly DecidingValue[] {
  const map = (path: string): JsonObject => placeholders.map(valueExpression(path));
  const labels = map('platform.networkPolicy.clientNamespaceLabels');
  const replicas = placeholders.number(valueExpression('dynamo-operator.controllerManager.replicas'));
  if (part === 'nats') return natsDecisions({}, labels);
  if (part === 'etcd') return etcdDecisions({}, map('etcd.resources'), labels);
  return operatorDecisions((path) => placeholders.string(valueExpression(path)), replicas, kind);
}

/** The deciding values that a set of values says something about, and those that an open value waits for, which are on while it is rendered. */
function decided(
  decisions: readonly DecidingValue[],
  values: JsonObject,
  apiVersions: readonly string[],
): readonly DecidingValue[] {
  const given = leaves(values);
  const touches = (path: string): boolean =>
    given.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
  return decisions.filter(
    ({ path, options }) =>
      (path === 'platform.monitoring.enabled' && apiVersions.length > 0) ||
      openValues('original').some(({ gate }) => gate === path) ||
      touches(path) ||
      options.some((option) => leaves(option.values).some(touches)),
  );
}

describe.each(['dynamo-operator', 'nats', 'etcd'])('%s', (key) => {
  test.each(Object.entries(sets))(
    '%s',
    (_, { values: given, apiVersions = [], release = 'dynamo-platform', own: isOwn = false }) => {
      const [kind, made]: readonly [OperatorKind, JsonObject] = isOwn ? ['dynamo-cdk8s', own] : ['original', {}];
      const values = json(given);
      const part = parts.find((one) => one.key === key);
      const { byPart } = renderPlatform(mergeLayers([made, values]), { release, apiVersions });
      const ours = byPart.find(({ name }) => name === key)?.objects ?? [];
      if (part === undefined || ours.length === 0) return;
      const placeholders = new Placeholders([values, made]);
      const generator = new TemplateGenerator(made, {}, openValues(kind), placeholders);
      const text = generator.templates(part, decided(decisionsOf(key, placeholders, kind), values, apiVersions));
      const template = { path: 'templates/part.yaml', text: `{{- $operator := index .Values "dynamo-operator" -}}\n${text}` };
      const theirs = helmTemplate([...quickChart(kind), template], { values, name: release, apiVersions });
      expect([...theirs.keys()].toSorted()).toEqual(ours.map(keyOf).toSorted());
      for (const object of ours) expect(theirs.get(keyOf(object)), keyOf(object)).toEqual(json(object));
    },
  );
});
