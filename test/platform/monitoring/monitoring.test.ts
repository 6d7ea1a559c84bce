import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { alerts, alertGroups } from '../../../lib/platform/monitoring/alerts.ts';
import { dashboardJson } from '../../../lib/platform/monitoring/dashboards/dashboard.ts';
import { dashboards, renderMonitoring } from '../../../lib/platform/monitoring/index.ts';
import { exporters } from '../../../lib/platform/monitoring/exporters.ts';
import { scrapeTargets } from '../../../lib/platform/monitoring/scrape-config.ts';

const known = new Map(Object.values(exporters).flatMap((e) => Object.entries(e.metrics)));
const expressions = [
  ...alerts.map((a) => ({ where: a.name, text: a.expression })),
  ...Object.values(dashboards).flatMap((d) =>
    d.rows.flatMap((r) => r.panels.flatMap((p) => p.queries.map((q) => ({ where: `${d.uid} ${p.title}`, text: q.expression })))),
  ),
];
const options = {
  namespace: 'dynamo-system',
  labels: { release: 'kube-prometheus-stack' },
  about: ['operator', 'graphs', 'nats', 'etcd', 'dcgm'] as const,
  runbook: 'https://example.com/runbook',
  rules: true,
  dashboards: 'monitoring',
  prometheus: 'http://prometheus.monitoring:9090',
  scrapeConfig: true,
};

/** Names of series in an expression, and whether the parser took all of it. */
function read(text: string): { readonly broken: boolean; readonly names: readonly string[] } {
  const names: string[] = [];
  let broken = false;
  parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) broken = true;
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') names.push(text.slice(node.from, node.to));
    },
  });
  return { broken, names };
}

test.each(expressions)('$where asks PromQL that parses, of metrics in the committed lists', ({ text }) => {
  const { broken, names } = read(text);
  expect(broken).toBe(false);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const histogram = /^(.*)_(bucket|sum|count)$/.exec(name)?.[1];
    expect(known.has(name) || (histogram !== undefined && known.get(histogram) === 'histogram'), name).toBe(true);
  }
});

test('the parser tells a broken expression', () => {
  expect(read('sum by (a (rate(x[5m]))').broken).toBe(true);
});

test('every metric in the lists is used, so the lists do not rot', () => {
  const used = new Set(expressions.flatMap((e) => read(e.text).names.map((n) => n.replace(/_(bucket|sum|count)$/, ''))));
  const unused = [...known.keys()].filter((name) => !used.has(name));
  expect(unused).toEqual([]);
});

const corpus = process.env['DYNAMO_CORPUS'];
test.skipIf(!corpus)('every metric listed for the operator was served by the original', () => {
  const served = readFileSync(join(corpus ?? '', 'conformance/metrics.txt'), 'utf8');
  // the recording saw no failed reconcile, so this counter had no series; its name is in the specification
  const names = Object.keys(exporters.operator.metrics).filter((n) => n !== 'dynamo_operator_reconcile_errors_total');
  for (const name of names) expect(served, name).toContain(`# TYPE ${name} `);
});

test('dashboards have unique ids, a datasource variable and no overlapping panels', () => {
  const uids = Object.values(dashboards).map((d) => d.uid);
  expect(new Set(uids).size).toBe(uids.length);
  for (const dashboard of Object.values(dashboards)) {
    const json = JSON.parse(JSON.stringify(dashboardJson(dashboard)));
    expect(json.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' });
    const ids = json.panels.map((p: { id: number }) => p.id);
    expect(new Set(ids).size).toBe(ids.length);
    const taken = new Set<string>();
    for (const { gridPos: g } of json.panels) {
      expect(g.x + g.w).toBeLessThanOrEqual(24);
      for (let x = g.x; x < g.x + g.w; x++)
        for (let y = g.y; y < g.y + g.h; y++) {
          expect(taken.has(`${x},${y}`), `${dashboard.uid} ${x},${y}`).toBe(false);
          taken.add(`${x},${y}`);
        }
    }
    for (const panel of json.panels) if (panel.type !== 'row') expect(panel.datasource.uid).toBe('${datasource}');
  }
});

test('every alert has a section in the runbook, and the runbook has no other', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
  const sections = [...text.matchAll(/^## (\w+)$/gm)].map((m) => m[1]);
  expect(sections).toEqual(alerts.map((a) => a.name));
});

test('alerts link to their section and only what is installed is watched', () => {
  const groups = JSON.parse(JSON.stringify(alertGroups(['etcd'], 'https://example.com/runbook')));
  expect(groups.map((g: { name: string }) => g.name)).toEqual(['dynamo-etcd']);
  expect(groups[0].rules[0].annotations.runbook_url).toBe('https://example.com/runbook#dynamoetcdnoleader');
});

test('the bundle holds rules, dashboards for the sidecar, a datasource and scrape configuration', () => {
  const objects = renderMonitoring(options);
  expect(objects.map((o) => `${o.kind} ${o.metadata.namespace}/${o.metadata.name}`)).toEqual([
    'PrometheusRule dynamo-system/dynamo-platform',
    'ConfigMap monitoring/grafana-operator-dashboard',
    'ConfigMap monitoring/grafana-dynamo-dashboard',
    'ConfigMap monitoring/grafana-planner-dashboard',
    'ConfigMap monitoring/grafana-dependencies-dashboard',
    'ConfigMap monitoring/dynamo-grafana-datasource',
    'ConfigMap dynamo-system/dynamo-scrape-config',
  ]);
  for (const o of objects) expect(o.metadata.labels).toMatchObject(options.labels);
  expect(objects[1]?.metadata.labels?.['grafana_dashboard']).toBe('1');
});

test('scrape configuration finds every kind of pod by its labels and ports', () => {
  const map = renderMonitoring(options).at(-1);
  const text = parse(JSON.parse(JSON.stringify(map)).data['dynamo-scrape-config.yaml']);
  expect(text.scrape_configs.map((j: { job_name: string }) => j.job_name)).toEqual(scrapeTargets.map((t) => t.job));
  expect(text.scrape_configs[1].relabel_configs[0]).toEqual({
    action: 'keep',
    source_labels: ['__meta_kubernetes_pod_label_nvidia_com_dynamo_component_type'],
    regex: 'frontend',
  });
});

test('nothing optional is rendered unless asked for', () => {
  const { dashboards: _home, prometheus: _url, ...rest } = options;
  expect(renderMonitoring({ ...rest, rules: false, scrapeConfig: false })).toEqual([]);
});
