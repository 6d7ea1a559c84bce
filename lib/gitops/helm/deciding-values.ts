import type { Json, JsonObject } from '../../json/index.ts';
import { effectiveValue } from './effective-value.ts';
import type { OperatorKind } from '../../platform/index.ts';
import { nest, operatorPath, valueExpression, type ChartValue } from './open-values.ts';

/** A value that decides which objects and fields are rendered; template tests distinguish its options. */
export interface DecidingValue extends ChartValue {
  /** Each option: its template test, and values to render it with. */
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

/** Whether monitors are rendered in any part: as the value says or, if it is null, if the cluster has their CRDs. */
export const monitoring: DecidingValue = {
  ...onOff(
    'platform.monitoring.enabled',
    'whether to create monitors; null: if the cluster has their CRDs',
    'eq (include "dynamo.monitoring" .) "true"',
  ),
  nullable: true,
};

/** The usual numbers, and the one in the given values. */
function withGiven(usual: readonly number[], given: Json | undefined): readonly number[] {
  return [...new Set([...usual, ...(typeof given === 'number' && given > 0 ? [given] : [])])].toSorted((a, b) => a - b);
}

/** Which namespaces may reach NATS and etcd. `labels` is the placeholder of the value. */
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

/** Deciding values of NATS. The number of servers decides, since the configuration of a cluster lists its servers. */
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

/** Deciding values of etcd. The number of members decides, since their environment lists them. `resources` and `clientLabels` are placeholders. */
export function etcdDecisions(values: JsonObject, resources: JsonObject, clientLabels: JsonObject): readonly DecidingValue[] {
  const path = 'etcd.resources';
  const members = withGiven([1, 3, 5, 7], effectiveValue('etcd.replicaCount', values));
  return [
    monitoring,
    clients(clientLabels),
    {
      path,
      description: 'resources of etcd; empty: those of a preset',
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

/** Deciding values of the operator. `address` returns the placeholder of an external address; `replicas` is the placeholder of the number. */
export function operatorDecisions(
  address: (path: string) => string,
  replicas: number,
  kind: OperatorKind,
): readonly DecidingValue[] {
  // the original operator cannot create its own certificate
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
  const count = valueExpression(operatorPath('controllerManager.replicas'));
  return [
    onOff(operatorPath('namespaceRestriction.enabled'), 'whether the operator manages only one namespace'),
    external(operatorPath('natsAddr'), 'address of a NATS that is not part of the release'),
    external(operatorPath('etcdAddr'), 'address of an etcd that is not part of the release'),
    onOff('nats.enabled', 'whether the release includes NATS'),
    onOff('etcd.enabled', 'whether the release includes etcd'),
    {
      path: 'platform.certificates.mode',
      description: 'where the webhook certificate comes from',
      type: 'string',
      choices: modes,
      options: ['off', ...modes].map(mode),
    },
    {
      path: operatorPath('discoveryBackend'),
      description: 'where workers discover each other',
      type: 'string',
      choices: ['kubernetes', 'etcd'],
      options: ['kubernetes', 'etcd'].map((name) => ({
        test: `eq ${valueExpression(operatorPath('discoveryBackend'))} "${name}"`,
        values: nest(operatorPath('discoveryBackend'), name),
      })),
    },
    monitoring,
    onOff(operatorPath('dynamo.istio.enabled'), 'whether frontends get a VirtualService'),
    {
      path: operatorPath('controllerManager.replicas'),
      description: 'replicas of the operator',
      type: 'number',
      form: 'replicas',
      options: [
        { test: `gt (int ${count}) 1`, values: nest(operatorPath('controllerManager.replicas'), replicas) },
        { test: `le (int ${count}) 1`, values: nest(operatorPath('controllerManager.replicas'), -replicas) },
      ],
    },
  ];
}
