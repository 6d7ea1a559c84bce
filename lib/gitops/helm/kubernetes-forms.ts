/**
 * JSON schemas for parts of Kubernetes objects that users pass through the chart. They reject what the API server rejects, as far as a schema can
 * express it. helm is written in Go, so patterns follow https://pkg.go.dev/regexp/syntax.
 */
import type { JsonObject } from '../../json/index.ts';

/** Name of a label, see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set. */
const name = '[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const labelKey = { type: 'string', pattern: `^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?${name}$` };
const labelValue = { type: 'string', pattern: `^(${name})?$` };

/** An object with the given properties only. */
function closed(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', additionalProperties: false, properties, ...(required.length > 0 ? { required } : {}) };
}

function list(items: JsonObject, least = 0): JsonObject {
  return { type: ['array', 'null'], items, ...(least > 0 ? { minItems: least, type: 'array' } : {}) };
}

const strings = list({ type: 'string' });

/** Labels, or a node selector. */
export const labels: JsonObject = { propertyNames: labelKey, additionalProperties: labelValue };

/** A quantity of 0 or more in the syntax of `resource.ParseQuantity`. */
const quantity = {
  type: ['string', 'number'],
  minimum: 0,
  pattern: '^[+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]+)?$',
};
/** Extended resources are integers, see https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#extended-resources. */
const wholeQuantity = { type: ['string', 'integer'], minimum: 0, pattern: '^[+]?[0-9]+([kMGTPE]|[KMGTPE]i)?$' };
const amounts = {
  type: ['object', 'null'],
  additionalProperties: false,
  patternProperties: {
    '^(cpu|memory|ephemeral-storage|hugepages-[0-9]+[KMGTPE]i)$': quantity,
    [`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/${name}$`]: wholeQuantity,
  },
};

/** Resources of a container; `guards.ts` compares requests with limits. */
export const resources: JsonObject = {
  additionalProperties: false,
  properties: { limits: amounts, requests: amounts },
};

/** The schema `yes` for values that match `test`, and `no` for all others. */
function choose(test: JsonObject, yes: JsonObject, no: JsonObject = {}): JsonObject {
  return { anyOf: [{ allOf: [test, yes] }, { allOf: [{ not: test }, no] }] };
}

/** Matches objects whose `operator` is one of those given. */
function hasOperator(...operators: readonly string[]): JsonObject {
  return { properties: { operator: { enum: operators } }, required: ['operator'] };
}

/** Tolerations of a pod, see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/. */
export const tolerations: JsonObject = {
  items: {
    ...closed({
      key: { type: 'string', anyOf: [{ maxLength: 0 }, labelKey] },
      operator: { enum: ['', 'Exists', 'Equal'] },
      value: labelValue,
      effect: { enum: ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
      tolerationSeconds: { type: 'integer' },
    }),
    allOf: [
      choose(hasOperator('Exists'), { properties: { value: { maxLength: 0 } } }, { required: ['key'] }),
      choose({ required: ['tolerationSeconds'] }, { properties: { effect: { const: 'NoExecute' } }, required: ['effect'] }),
    ],
  },
};

const none = { properties: { values: { maxItems: 0 } } };
const some = { properties: { values: { minItems: 1 } }, required: ['values'] };

/** Requirements of a selector: some operators need values, the others must have none. */
function requirements(operators: readonly string[]): JsonObject {
  return list({
    ...closed({ key: labelKey, operator: { enum: operators }, values: strings }, ['key', 'operator']),
    ...choose(hasOperator('In', 'NotIn', 'Gt', 'Lt'), some, none),
  });
}

const labelSelector = {
  ...closed({
    matchLabels: { type: ['object', 'null'], ...labels },
    matchExpressions: requirements(['In', 'NotIn', 'Exists', 'DoesNotExist']),
  }),
  type: ['object', 'null'],
};
const nodeTerm = closed({
  matchExpressions: requirements(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  matchFields: requirements(['In', 'NotIn']),
});
const podTerm = closed(
  {
    labelSelector,
    namespaceSelector: labelSelector,
    namespaces: strings,
    topologyKey: labelKey,
    matchLabelKeys: strings,
    mismatchLabelKeys: strings,
  },
  ['topologyKey'],
);
const weight = { type: 'integer', minimum: 1, maximum: 100 };
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const amongPods = closed({
  [required]: list(podTerm),
  [preferred]: list(closed({ weight, podAffinityTerm: podTerm }, ['weight', 'podAffinityTerm'])),
});

/** Affinity of a pod. */
export const affinity: JsonObject = {
  additionalProperties: false,
  properties: {
    nodeAffinity: closed({
      [required]: closed({ nodeSelectorTerms: list(nodeTerm, 1) }, ['nodeSelectorTerms']),
      [preferred]: list(closed({ weight, preference: nodeTerm }, ['weight', 'preference'])),
    }),
    podAffinity: amongPods,
    podAntiAffinity: amongPods,
  },
};

const zero = { enum: [0, '0%'] };
const surge = { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]{1,4}%$' };
const unavailable = { type: ['integer', 'string'], minimum: 0, pattern: '^([0-9]{1,2}|100)%$' };
const withRolling = (rolling: JsonObject): JsonObject => ({
  properties: { rollingUpdate: rolling },
  required: ['rollingUpdate'],
});
const ofType = (type: string): JsonObject => ({ properties: { type: { const: type } }, required: ['type'] });
const never = (...all: readonly JsonObject[]): JsonObject => ({ not: { allOf: all } });

/** Update strategy of a Deployment. */
export const deploymentStrategy: JsonObject = {
  additionalProperties: false,
  properties: {
    type: { enum: ['', 'Recreate', 'RollingUpdate'] },
    rollingUpdate: closed({ maxSurge: surge, maxUnavailable: unavailable }),
  },
  allOf: [
    never(ofType('Recreate'), withRolling({})),
    // see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#max-unavailable
    never(withRolling({ properties: { maxSurge: zero, maxUnavailable: zero }, required: ['maxSurge', 'maxUnavailable'] })),
  ],
};

/** Update strategy of a StatefulSet. */
export const updateStrategy: JsonObject = {
  additionalProperties: false,
  properties: {
    type: { enum: ['', 'OnDelete', 'RollingUpdate'] },
    rollingUpdate: closed({ partition: { type: 'integer', minimum: 0 }, maxUnavailable: unavailable }),
  },
  ...never(ofType('OnDelete'), withRolling({})),
};

const secret = closed({ name: { type: 'string' } });

/** Pull secrets of a pod. */
export const pullSecrets: JsonObject = { items: secret };

/** Pull secrets of every pod, which may be names alone. */
export const namedPullSecrets: JsonObject = { items: { anyOf: [{ type: 'string' }, secret] } };
