import type { JsonObject } from '../json/index.ts';

const stringMap = (description: string): JsonObject => ({
  description,
  type: ['object', 'null'],
  additionalProperties: { type: 'string' },
});
const booleanString = (description: string): JsonObject => ({ description, enum: ['true', 'false'] });

/** Annotations of a graph that the operator reads, with the values it supports. */
const annotations: Readonly<Record<string, JsonObject>> = {
  'nvidia.com/enable-grove': booleanString('Whether Grove runs the pods of the graph, if it is installed.'),
  'nvidia.com/enable-metrics': booleanString('Whether pods are scraped for metrics.'),
  'nvidia.com/disable-image-pull-secret-discovery': booleanString('Whether to skip the discovery of image pull secrets.'),
  'nvidia.com/kai-scheduler-queue': { description: 'Queue of the KAI scheduler.', type: 'string' },
  'nvidia.com/dynamo-discovery-backend': {
    description: 'Service discovery backend of the components.',
    enum: ['kubernetes', 'etcd'],
  },
  'nvidia.com/deployment-strategy': { description: 'Strategy of the Deployments.', enum: ['RollingUpdate', 'Recreate'] },
  'nvidia.com/deployment-rolling-update-max-surge': {
    description: 'Maximum pods above the replica count during a rolling update.',
    type: 'string',
  },
  'nvidia.com/deployment-rolling-update-max-unavailable': {
    description: 'Maximum unavailable pods during a rolling update.',
    type: 'string',
  },
};

/** The schema of metadata for editors; fields that only a cluster writes are allowed but not described. */
export const metadataSchema: JsonObject = {
  description: 'Name, namespace, labels and annotations of the object.',
  type: 'object',
  properties: {
    name: {
      description: 'Name of the object: lower case letters, digits and dashes.',
      type: 'string',
      maxLength: 253,
      pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
    },
    generateName: { description: 'Prefix of a name that the API server generates.', type: 'string' },
    namespace: {
      description: 'Namespace of the object.',
      type: 'string',
      maxLength: 63,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    },
    labels: stringMap('Labels of the object.'),
    annotations: { ...stringMap('Annotations of the object.'), properties: annotations },
    finalizers: {
      description: 'Finalizers that must be removed before the object is deleted.',
      type: ['array', 'null'],
      items: { type: 'string' },
    },
    ownerReferences: {
      description: 'Objects whose deletion deletes this one.',
      type: ['array', 'null'],
      items: { type: 'object' },
    },
    uid: { type: 'string' },
    resourceVersion: { type: 'string' },
    generation: { type: 'integer' },
    selfLink: { type: 'string' },
    creationTimestamp: { type: ['string', 'null'] },
    deletionTimestamp: { type: ['string', 'null'] },
    deletionGracePeriodSeconds: { type: ['integer', 'null'] },
    managedFields: { type: ['array', 'null'], items: { type: 'object' } },
  },
  additionalProperties: false,
};
