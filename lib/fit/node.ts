import {
  isObject,
  listAt,
  objectAt,
  objectsAt,
  stringAt,
  stringMapAt,
  valueAt,
  type Json,
  type JsonObject,
} from '../json/index.ts';
import type { Amounts, PodDemand } from './demand.ts';
import { isGpuResource } from './gpu.ts';
import { quantityValue } from './quantity-value.ts';

/** A taint of a node. */
interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

/** The properties of a node that decide which pods it accepts. */
export interface NodeView {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly allocatable: Amounts;
  /** Whether only the number of GPUs is known. Such a node matches every selector, has no taints and enough of all other resources. */
  readonly hypothetical?: true;
}

/**
 * Reads a Node object. A cordoned node gets the taint that Kubernetes adds to it.
 * https://kubernetes.io/docs/reference/labels-annotations-taints/#node-kubernetes-io-unschedulable
 */
export function viewNode(node: JsonObject): NodeView {
  const [metadata, spec, status] = [node['metadata'], node['spec'], node['status']];
  const amounts = valueAt(status, 'allocatable') ?? valueAt(status, 'capacity');
  const taints = objectsAt(spec, 'taints').map((t) => ({
    key: stringAt(t, 'key'),
    value: stringAt(t, 'value'),
    effect: stringAt(t, 'effect'),
  }));
  const cordoned = valueAt(spec, 'unschedulable') === true && !taints.some((t) => t.key === 'node.kubernetes.io/unschedulable');
  return {
    name: stringAt(metadata, 'name'),
    labels: stringMapAt(metadata, 'labels'),
    taints: cordoned ? [...taints, { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' }] : taints,
    allocatable: {
      pods: Number.MAX_SAFE_INTEGER,
      ...Object.fromEntries(Object.entries(objectAt(amounts)).map(([name, value]) => [name, quantityValue(value) ?? 0])),
    },
  };
}

/** Identical nodes of which only the number of GPUs is known; `resources` are the names of all resources that pods request. */
export function hypotheticalNodes(count: number, gpus: number, resources: Iterable<string>): readonly NodeView[] {
  const allocatable = Object.fromEntries(
    ['pods', ...resources].map((name) => [name, isGpuResource(name) ? gpus : Number.MAX_SAFE_INTEGER]),
  );
  return Array.from({ length: count }, (_, index) => ({
    name: `node-${index + 1}`,
    labels: {},
    taints: [],
    allocatable: { 'nvidia.com/gpu': gpus, ...allocatable },
    hypothetical: true,
  }));
}

function tolerates(toleration: JsonObject, taint: Taint): boolean {
  const [key, effect, operator] = [stringAt(toleration, 'key'), stringAt(toleration, 'effect'), stringAt(toleration, 'operator')];
  if (effect !== '' && effect !== taint.effect) return false;
  if (key === '') return operator === 'Exists';
  return key === taint.key && (operator === 'Exists' || stringAt(toleration, 'value') === taint.value);
}

function matches(expression: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[stringAt(expression, 'key')];
  const values = listAt(expression, 'values').map((item) => stringAt(item));
  switch (expression['operator']) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function matchesTerm(term: JsonObject, node: NodeView): boolean {
  const [expressions, fields] = [objectsAt(term, 'matchExpressions'), objectsAt(term, 'matchFields')];
  // An empty term matches no node: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#NodeAffinity
  if (expressions.length + fields.length === 0) return false;
  return expressions.every((e) => matches(e, node.labels)) && fields.every((e) => matches(e, { 'metadata.name': node.name }));
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Why a node rejects a pod regardless of free resources; undefined when it accepts the pod. */
export function rejectionReason(node: NodeView, { spec }: PodDemand): string | undefined {
  if (node.hypothetical === true) return undefined;
  const taint = node.taints.find(
    (t) => t.effect !== 'PreferNoSchedule' && !objectsAt(spec, 'tolerations').some((toleration) => tolerates(toleration, t)),
  );
  if (taint) return `taint ${taint.key}${taint.value === '' ? '' : `=${taint.value}`}:${taint.effect} is not tolerated`;
  const selector = objectAt(spec, 'nodeSelector');
  const label = Object.entries(selector).find(([key, value]) => node.labels[key] !== value);
  if (label)
    return `label ${label[0]} is ${node.labels[label[0]] ?? 'not set'}, the node selector requires ${stringAt(label[1])}`;
  if (stringAt(spec, 'nodeName') !== '' && spec['nodeName'] !== node.name)
    return `spec.nodeName is ${stringAt(spec, 'nodeName')}`;
  const affinity = valueAt(spec, 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  if (affinity !== undefined && !objectsAt(affinity).some((term) => matchesTerm(term, node)))
    return 'required node affinity does not match';
  return undefined;
}

/** Whether a label selector matches a pod's labels. */
export function selects(selector: Json | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (!isObject(selector)) return false;
  const wanted = objectAt(selector, 'matchLabels');
  return (
    Object.entries(wanted).every(([key, value]) => labels[key] === value) &&
    objectsAt(selector, 'matchExpressions').every((e) => matches(e, labels))
  );
}

/** Required anti-affinity terms of a pod. */
export function antiAffinity({ spec }: PodDemand): readonly JsonObject[] {
  return objectsAt(spec, 'affinity', 'podAntiAffinity', required);
}
