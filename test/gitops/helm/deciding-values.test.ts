/** Values that decide which objects are rendered: each option has a test in the templates, and exactly one of the tests is true. */
import { describe, expect, test } from 'vitest';
import { etcdDecisions, natsDecisions, operatorDecisions, type DecidingValue } from '../../../lib/gitops/helm/deciding-values.ts';
import { namedTemplates } from '../../../lib/gitops/helm/named-templates.ts';
import type { OutputFile } from '../../../lib/gitops/layout.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { Templates } from './go-template/evaluate.ts';
import { dotOf } from './go-template/helm-template.ts';
import { quickChart } from './quick-chart.ts';

const templates = new Templates(namedTemplates);

/** Which tests of a decision hold for values. */
function holding({ options }: DecidingValue, values: JsonObject, chart: readonly OutputFile[]): readonly string[] {
  const dot = dotOf(chart, { values });
  const holds = (test: string): boolean =>
    templates.render(`{{- $operator := index .Values "dynamo-operator" -}}{{ if ${test} }}yes{{ end }}`, dot) === 'yes';
  return options.map(({ test }) => test).filter(holds);
}

const decisions = (values: JsonObject = {}): readonly DecidingValue[] => [
  ...operatorDecisions((path) => `x-${path}`, 3, 'dynamo-cdk8s'),
  ...natsDecisions(values, { team: 'a' }),
  ...etcdDecisions(values, { limits: { cpu: '1' } }, { team: 'a' }),
];

test('each meaning is found by its test alone', () => {
  const chart = quickChart('dynamo-cdk8s');
  for (const decision of decisions())
    for (const option of decision.options)
      expect(holding(decision, option.values, chart), `${decision.path}: ${JSON.stringify(option.values)}`).toEqual([
        option.test,
      ]);
});

test('one meaning holds for the defaults', () => {
  const chart = quickChart('dynamo-cdk8s');
  for (const decision of decisions()) expect(holding(decision, {}, chart), decision.path).toHaveLength(1);
});

describe('numbers of servers are listed, with the one that the chart is made with', () => {
  const choices = (path: string, values: JsonObject): DecidingValue['choices'] =>
    decisions(values).find((decision) => decision.path === path)?.choices;
  test.each([
    ['etcd.replicaCount', {}, [1, 3, 5, 7]],
    ['etcd.replicaCount', { etcd: { replicaCount: 4 } }, [1, 3, 4, 5, 7]],
    ['etcd.replicaCount', { etcd: { replicaCount: 0 } }, [1, 3, 5, 7]],
    ['etcd.replicaCount', { etcd: { replicaCount: '9' } }, [1, 3, 5, 7]],
    ['nats.config.cluster.replicas', {}, [3, 5]],
    ['nats.config.cluster.replicas', { nats: { config: { cluster: { replicas: 11 } } } }, [3, 5, 11]],
  ])('%s of %j', (path, values, expected) => {
    expect(choices(path, values)).toEqual(expected);
  });
});

test('one replica of the operator and several are told apart in the rendered number: the one is the negative of the other', () => {
  const replicas = decisions().find(({ path }) => path === 'dynamo-operator.controllerManager.replicas');
  expect(replicas?.options.map(({ values }) => values)).toEqual([
    { 'dynamo-operator': { controllerManager: { replicas: 3 } } },
    { 'dynamo-operator': { controllerManager: { replicas: -3 } } },
  ]);
});

test('the original cannot make its own certificate', () => {
  const modes = (kind: 'original' | 'dynamo-cdk8s'): DecidingValue['choices'] =>
    operatorDecisions((path) => path, 1, kind).find(({ path }) => path === 'platform.certificates.mode')?.choices;
  expect(modes('original')).toEqual(['cert-manager', 'external']);
  expect(modes('dynamo-cdk8s')).toEqual(['cert-manager', 'external', 'self-managed']);
});
