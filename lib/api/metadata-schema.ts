import type { JsonObject } from '../json/index.ts';

const stringMap = (description: string): JsonObject => ({
  description,
  type: ['object', 'null'],
  additionalProperties: { type: 'string' },
});
const bool = (description: string): JsonObject => ({ description, enum: ['true', 'false'] });

/** Annotations of a graph that the operator reads, with the values it understands. */
const annotations: Readonly<Record<string, JsonObject>> = {
  'nvidia.com/enable-grove': bool('Whether Grove starts the pods of the graph where it is installed.'),
  'nvidia.com/enable-metrics': bool('Whether pods are scraped for metrics.'),
  'nvidia.com/disable-image-pull-secret-discovery': bool('Whether image pull secrets are left as written.'),
  'nvidia.com/kai-scheduler-queue': { description: 'Queue of the KAI scheduler.', type: 'string' },
  'nvidia.com/dynamo-discovery-backend': {
    description: 'Where components find each other.',
    enum: ['kubernetes', 'etcd'],
  },
  'nvidia.com/deployment-strategy': { description: 'Strategy of the Deployments.', enum: ['RollingUpdate', 'Recreate'] },
  'nvidia.com/deployment-rolling-update-max-surge': { description: 'Pods above the replicas while rolling.', type: 'string' },
  'nvidia.com/deployment-rolling-update-max-unavailable': {
    description: 'Pods below the replicas while rolling.',
    type: 'string',
  },
};

/** What editors know about an object's metadata; fields only a cluster writes are allowed and not described. */
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
    generateName: { description: 'Start of a name that the API server completes.', type: 'string' },
    namespace: {
      description: 'Namespace of the object.',
      type: 'string',
      maxLength: 63,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    },
    labels: stringMap('Labels of the object.'),
    annotations: { ...stringMap('Annotations of the object.'), properties: annotations },
    finalizers: { description: 'Who must agree to the deletion.', type: ['array', 'null'], items: { type: 'string' } },
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
