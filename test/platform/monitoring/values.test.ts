import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { atPath } from '../../../lib/platform/go-values.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

const bundle = (monitoring: JsonObject, values: JsonObject = {}) =>
  renderPlatform({ ...values, platform: { monitoring } }).byPart.find(({ name }) => name === 'monitoring')?.objects ?? [];

const names = (monitoring: JsonObject): readonly string[] =>
  bundle(monitoring).map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);

test('nothing of the observability bundle is rendered unless the values ask for it', () => {
  expect(names({})).toEqual([]);
});

test('warns of a datasource that nothing would load', () => {
  const monitoring = { prometheus: 'http://prometheus:9090' };
  expect(names(monitoring)).toEqual([]);
  expect(renderPlatform({ platform: { monitoring } }).warnings).toContainEqual(expect.objectContaining({ code: 'no_effect' }));
});

test('rules, dashboards with their datasource, and scrape configuration come one by one', () => {
  expect(names({ rules: true })).toEqual(['PrometheusRule dynamo-system/dynamo-platform']);
  expect(names({ scrapeConfig: true })).toEqual(['ConfigMap dynamo-system/dynamo-scrape-config']);
  expect(names({ dashboards: 'grafana' })).toEqual([
    'ConfigMap grafana/grafana-operator-dashboard',
    'ConfigMap grafana/grafana-dynamo-dashboard',
    'ConfigMap grafana/grafana-planner-dashboard',
    'ConfigMap grafana/grafana-dependencies-dashboard',
  ]);
  expect(names({ dashboards: 'grafana', prometheus: 'http://prometheus:9090' })).toContain(
    'ConfigMap grafana/dynamo-grafana-datasource',
  );
});

test('rules are about what is installed, carry the labels of monitors and link to the runbook given', () => {
  const [rules] = bundle(
    { rules: true, labels: { release: 'stack' }, runbook: 'https://example.com/runbook' },
    { etcd: { enabled: false } },
  );
  const text = JSON.stringify(rules);
  expect(rules?.metadata.labels).toMatchObject({ release: 'stack' });
  expect(text).toContain('DynamoNatsSlowConsumers');
  expect(text).not.toContain('DynamoEtcd');
  expect(text).toContain('https://example.com/runbook');
  expect(atPath(rules, 'spec.groups')).not.toEqual([]);
});
