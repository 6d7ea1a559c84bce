import type { Json, JsonObject } from '../../json/index.ts';
import { effectiveValue } from './effective-value.ts';
import type { OperatorKind } from '../../platform/index.ts';
import { nest, operator, valueExpression, type ChartValue } from './open-values.ts';

/** A value that decides which objects and fields there are; its options are told apart by template tests. */
export interface DecidingValue extends ChartValue {
  /** Each meaning: how a template asks for it, and values that have it. */
  readonly options: readonly { readonly test: string; readonly values: JsonObject }[];
}

function onOff(path: string, description: string, test = valueExpression(path)): DecidingValue {
  return {
    path,
    description,
    type: 'boolean',
    options: [
      { test, values: nest(path, true) },
      { test: `not ${test.includes(' ') ? `(${test})` : test}`, values: nest(path, false) },
    ],
  };
}

/** Decides in every part: as the value says, else whether the cluster knows monitors. */
export const monitoring: DecidingValue = {
  ...onOff(
    'platform.monitoring.enabled',
    'whether monitors are made; null: when the cluster knows them',
    'eq (include "dynamo.monitoring" .) "true"',
  ),
  nullable: true,
};

/** The usual numbers and the one that the chart is made with. */
function withGiven(usual: readonly number[], given: Json | undefined): readonly number[] {
  return [...new Set([...usual, ...(typeof given === 'number' && given > 0 ? [given] : [])])].toSorted((a, b) => a - b);
}

/** Who may reach NATS and etcd. `labels` is the placeholder of the value. */
function clients(labels: JsonObject): DecidingValue {
  const option = (name: string, matched: JsonObject, restricted: boolean) => ({
    test: `eq (include "dynamo.clients" .) "${name}"`,
    values: {
      'dynamo-operator': { namespaceRestriction: { enabled: restricted } },
      platform: { networkPolicy: { clientNamespaceLabels: matched, allowAllNamespaces: false } },
    },
  });
  return {
    path: 'platform.networkPolicy.clientNamespaceLabels',
    description: 'labels of the namespaces whose pods may reach NATS and etcd; empty: every namespace',
    type: 'map',
    form: 'labels',
    options: [option('labels', labels, false), option('managed', {}, true), option('all', {}, false)],
  };
}

/** What decides about the objects of NATS: one server, or a cluster whose servers are listed in its configuration. */
export function natsDecisions(values: JsonObject, clientLabels: JsonObject): readonly DecidingValue[] {
  const servers = withGiven([3, 5], effectiveValue('nats.config.cluster.replicas', values));
  return [
    monitoring,
    clients(clientLabels),
    {
      path: 'nats.config.cluster.enabled',
      description: 'whether NATS is a cluster of nats.config.cluster.replicas servers',
      type: 'boolean',
      options: [
        { test: 'eq (include "dynamo.nats.servers" .) "single"', values: nest('nats.config.cluster', { enabled: false }) },
        ...servers.map((replicas) => ({
          test: `eq (include "dynamo.nats.servers" .) "${replicas}"`,
          values: nest('nats.config.cluster', { enabled: true, replicas }),
        })),
      ],
    },
    {
      path: 'nats.config.cluster.replicas',
      type: 'number',
      description: 'servers of a NATS cluster',
      choices: servers,
      options: [{ test: 'true', values: {} }],
    },
  ];
}

/** What decides about the objects of etcd. `resources` and `clientLabels` are the placeholders of values; members are listed in their environment. */
export function etcdDecisions(values: JsonObject, resources: JsonObject, clientLabels: JsonObject): readonly DecidingValue[] {
  const path = 'etcd.resources';
  const members = withGiven([1, 3, 5, 7], effectiveValue('etcd.replicaCount', values));
  return [
    monitoring,
    clients(clientLabels),
    {
      path,
      description: 'resources of etcd; empty for a preset',
      type: 'map',
      form: 'resources',
      options: [
        { test: valueExpression(path), values: nest(path, resources) },
        { test: `not ${valueExpression(path)}`, values: nest(path, {}) },
      ],
    },
    {
      path: 'etcd.replicaCount',
      description: 'members of etcd; change the membership with etcdctl before changing it',
      type: 'number',
      choices: members,
      options: members.map((replicas) => ({
        test: `eq (int ${valueExpression('etcd.replicaCount')}) ${replicas}`,
        values: nest('etcd.replicaCount', replicas),
      })),
    },
  ];
}

/** What decides about the operator's objects. `address` gives the placeholder of an external address, `replicas` is the one of the number. */
export function operatorDecisions(
  address: (path: string) => string,
  replicas: number,
  kind: OperatorKind,
): readonly DecidingValue[] {
  // the original cannot make its own certificate
  const modes = ['cert-manager', 'external', ...(kind === 'dynamo-cdk8s' ? ['self-managed'] : [])];
  const external = (path: string, description: string): DecidingValue => ({
    path,
    description,
    type: 'string',
    options: [
      { test: valueExpression(path), values: nest(path, address(path)) },
      { test: `not ${valueExpression(path)}`, values: nest(path, '') },
    ],
  });
  const mode = (name: string): { readonly test: string; readonly values: JsonObject } => ({
    test: `eq (include "dynamo.webhooks" .) "${name}"`,
    values: {
      'dynamo-operator': { webhook: { enabled: name !== 'off' } },
      platform: { certificates: { mode: name === 'off' ? 'cert-manager' : name } },
    },
  });
  const count = valueExpression(operator('controllerManager.replicas'));
  return [
    onOff(operator('namespaceRestriction.enabled'), 'whether the operator manages one namespace only'),
    external(operator('natsAddr'), 'address of a NATS that is not part of the release'),
    external(operator('etcdAddr'), 'address of an etcd that is not part of the release'),
    onOff('nats.enabled', 'whether the release brings NATS'),
    onOff('etcd.enabled', 'whether the release brings etcd'),
    {
      path: 'platform.certificates.mode',
      description: 'where the webhook certificate comes from',
      type: 'string',
      choices: modes,
      options: ['off', ...modes].map(mode),
    },
    {
      path: operator('discoveryBackend'),
      description: 'where workers find one another',
      type: 'string',
      choices: ['kubernetes', 'etcd'],
      options: ['kubernetes', 'etcd'].map((name) => ({
        test: `eq ${valueExpression(operator('discoveryBackend'))} "${name}"`,
        values: nest(operator('discoveryBackend'), name),
      })),
    },
    monitoring,
    onOff(operator('dynamo.istio.enabled'), 'whether frontends get a VirtualService'),
    {
      path: operator('controllerManager.replicas'),
      description: 'replicas of the operator',
      type: 'number',
      form: 'replicas',
      options: [
        { test: `gt (int ${count}) 1`, values: nest(operator('controllerManager.replicas'), replicas) },
        { test: `le (int ${count}) 1`, values: nest(operator('controllerManager.replicas'), -replicas) },
      ],
    },
  ];
}
