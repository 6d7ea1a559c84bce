import {
  atomicList,
  boolean,
  dateTime,
  int32,
  int64,
  kubernetesObject,
  map,
  mapList,
  quantity,
  required,
  string,
} from './dsl.ts';

const conditionType =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';
const conditionReason = '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$';

/** One observed aspect of a resource's state (meta/v1). */
export const condition = kubernetesObject('Condition', 'One observed aspect of the state of a resource.', {
  type: required(string('The aspect, such as `Ready`; one entry per type.', { maxLength: 316, pattern: conditionType })),
  status: required(string('Whether the aspect holds.', { enum: ['True', 'False', 'Unknown'] })),
  reason: required(
    string('Why the condition last changed, as one CamelCase word.', { minLength: 1, maxLength: 1024, pattern: conditionReason }),
  ),
  message: required(string('Human-readable details of the last change. May be empty.', { maxLength: 32_768 })),
  lastTransitionTime: required(dateTime('When the status last changed from one value to another.')),
  observedGeneration: int64('The `metadata.generation` this condition was computed from.', { minimum: 0 }),
});

/** One key of a ConfigMap or Secret. */
export const keySelector = kubernetesObject(
  'KeySelector',
  'One key of a ConfigMap or Secret.',
  {
    name: string('Name of the object.', { default: '' }),
    key: required(string('The key to read.')),
    optional: boolean('Whether the object or key may be missing.'),
  },
  { atomicMap: true },
);

/** A reference by name within the namespace. */
export const localReference = kubernetesObject(
  'LocalReference',
  'A reference by name within the namespace.',
  { name: string('Name of the object.', { default: '' }) },
  { atomicMap: true },
);

/** A reference by name to something that may be missing. */
export const optionalReference = kubernetesObject(
  'OptionalReference',
  'A reference by name within the namespace to something that may be missing.',
  { name: string('Name of the object.', { default: '' }), optional: boolean('Whether the object may be missing.') },
  { atomicMap: true },
);

/** A field of the pod, for the downward API. */
export const fieldReference = kubernetesObject(
  'FieldReference',
  'A field of the pod.',
  { apiVersion: string(), fieldPath: required(string('Path such as `metadata.name`.')) },
  { atomicMap: true },
);

/** A container's resource, for the downward API. */
export const resourceFieldReference = kubernetesObject(
  'ResourceFieldReference',
  'A resource of a container.',
  { containerName: string(), divisor: quantity(), resource: required(string('Resource such as `limits.cpu`.')) },
  { atomicMap: true },
);

/** A key of a ConfigMap or Secret and the file with its value. */
export const keyToPath = kubernetesObject('KeyToPath', 'A key and the file with its value.', {
  key: required(string()),
  mode: int32(),
  path: required(string()),
});

const selectorRequirement = kubernetesObject('SelectorRequirement', 'One condition on a label or field.', {
  key: required(string()),
  operator: required(string('`In`, `NotIn`, `Exists`, `DoesNotExist`; on nodes also `Gt` and `Lt`.')),
  values: atomicList(string()),
});

/** A query over labels. */
export const labelSelector = kubernetesObject(
  'LabelSelector',
  'A query over labels; all of its conditions must hold.',
  { matchExpressions: atomicList(selectorRequirement), matchLabels: map(string()) },
  { atomicMap: true },
);

/** A query over the labels and fields of nodes. */
export const nodeSelectorTerm = kubernetesObject(
  'NodeSelectorTerm',
  'A query over the labels and fields of nodes.',
  { matchExpressions: atomicList(selectorRequirement), matchFields: atomicList(selectorRequirement) },
  { atomicMap: true },
);

/** A taint that a pod tolerates. */
export const toleration = kubernetesObject('Toleration', 'A taint that the pod tolerates.', {
  effect: string('`NoSchedule`, `PreferNoSchedule` or `NoExecute`; empty for all.'),
  key: string('Key of the taint; empty for all.'),
  operator: string('`Exists` or `Equal`.'),
  tolerationSeconds: int64('How long a `NoExecute` taint is tolerated.'),
  value: string('Value of the taint.'),
});

/** A claim of dynamic resource allocation that a container uses. */
export const resourceClaim = kubernetesObject('ResourceClaim', "An entry of the pod's resource claims that a container uses.", {
  name: required(string("Name of an entry in the pod's `resourceClaims`.")),
  request: string('One request of the claim; empty for all.'),
});

/** Resource requests and limits of a container. */
export const resourceRequirements = kubernetesObject('ResourceRequirements', 'Resource requests and limits of a container.', {
  claims: mapList(resourceClaim, 'name'),
  limits: map(quantity()),
  requests: map(quantity()),
});
