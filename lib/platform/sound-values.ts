/** Checks for values that the API server accepts but that another component rejects later, or that leave the platform without a part it needs. */
import { parseDuration, type Issue } from '../api/index.ts';
import type { Json, JsonObject } from '../json/index.ts';
import { atPath, templateString } from './go-values.ts';

interface Rule {
  readonly paths: readonly string[];
  readonly isBroken: (value: Json, values: JsonObject) => boolean;
  readonly message: string;
}

const certificate = 'dynamo-operator.webhook.certManager.certificate';

/** Names of objects that must exist. The API server accepts any string for them, and a pod that refers to a missing object waits for it. */
const references = [
  'dynamo-operator.webhook.certificateSecret.name',
  'dynamo-operator.dynamo.mpiRun.secretName',
  'dynamo-operator.dynamo.dockerRegistry.existingSecretName',
  'dynamo-operator.dynamo.ingress.tlsSecretName',
  'platform.certificates.issuerRef.name',
  'nats.tlsCA.secretName',
  'nats.tlsCA.configMapName',
  ...['nats', 'leafnodes', 'websocket', 'mqtt', 'cluster', 'gateway'].map((name) => `nats.config.${name}.tls.secretName`),
  ...['nats', 'etcd'].flatMap((part) => [`${part}.security.auth.secretName`, `${part}.security.tls.secretName`]),
  ...['rbac', 'client', 'peer', 'token.privateKey'].map((name) => `etcd.auth.${name}.existingSecret`),
  'etcd.existingConfigmap',
  'etcd.startFromSnapshot.existingClaim',
  'etcd.disasterRecovery.pvc.existingClaim',
];

const objectName = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

const rules: readonly Rule[] = [
  {
    paths: references,
    // etcd evaluates templates in its values.
    isBroken: (value) => !objectName.test(templateString(value)) && !templateString(value).includes('{{'),
    message:
      'must be a name that an object can have: lower-case letters, digits, "-" and ".", a letter or digit at both ends, at most 253 in all',
  },
  {
    paths: [
      'dynamo-operator.dynamo.groveTerminationDelay',
      `${certificate}.duration`,
      `${certificate}.renewBefore`,
      `${certificate}.rootCA.duration`,
      `${certificate}.rootCA.renewBefore`,
    ],
    isBroken: (value) => (parseDuration(templateString(value)) ?? 0) <= 0,
    message: 'must be a duration of hours, minutes and seconds such as 8760h, 90m or 15s (days and years have no unit)',
  },
  {
    paths: [
      'dynamo-operator.controllerManager.replicas',
      'grove.replicaCount',
      'kai-scheduler.operator.replicaCount',
      'etcd.replicaCount',
    ],
    isBroken: (value) => Number(value) === 0,
    message: 'must be at least 1: nothing would run; to leave the part out set its enabled to false',
  },
  {
    paths: ['etcd.replicaCount'],
    isBroken: (value) => Number(value) === 2,
    message: 'must be odd, such as 3: two members lose their quorum when one of them is down',
  },
  {
    paths: ['nats.config.cluster.replicas'],
    isBroken: (value, values) => atPath(values, 'nats.config.cluster.enabled') === true && Number(value) < 3,
    message:
      'must be at least 3: JetStream needs a majority of its servers; for one server set nats.config.cluster.enabled to false',
  },
];

/** More than any cluster runs; each replica adds an entry to other objects. */
const maxReplicas = 1000;
const countedPaths = ['nats.config.cluster.replicas', 'etcd.replicaCount'];

/** Issues with values whose rendered objects the API server accepts. */
export function unsoundValues(values: JsonObject): readonly Issue[] {
  return rules.flatMap(({ paths, isBroken, message }) =>
    paths.flatMap((path) => {
      const value = atPath(values, path);
      if (value === undefined || value === null || value === '' || !isBroken(value, values)) return [];
      return [{ path: path.split('.'), code: 'unsound_value', message: `${message}; got ${templateString(value)}` }];
    }),
  );
}

/** Numbers so large that rendering would not finish; they are errors in every profile. */
export function excessiveValues(values: JsonObject): readonly Issue[] {
  return countedPaths.flatMap((path) =>
    Number(atPath(values, path) ?? 0) > maxReplicas
      ? [{ path: path.split('.'), code: 'too_many', message: `must be at most ${maxReplicas}` }]
      : [],
  );
}
