import { type JsonObject, listAt } from '../../json/index.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { selectorLabels, whereSet, type EtcdRelease } from './release.ts';

/** A pod affinity preset: `soft` prefers, `hard` requires; undefined for anything else. */
function podPreset(preset: Value, labels: JsonObject): JsonObject | undefined {
  const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
  if (preset === 'soft') return { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: term, weight: 1 }] };
  return preset === 'hard' ? { requiredDuringSchedulingIgnoredDuringExecution: [term] } : undefined;
}

function nodePreset(preset: Value): JsonObject | undefined {
  const matchExpressions = [
    { key: templateString(atPath(preset, 'key')), operator: 'In', values: listAt(atPath(preset, 'values')).map(templateString) },
  ];
  const type = atPath(preset, 'type');
  if (type === 'soft')
    return { preferredDuringSchedulingIgnoredDuringExecution: [{ preference: { matchExpressions }, weight: 1 }] };
  return type === 'hard'
    ? { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } }
    : undefined;
}

function affinity(block: Value, labels: JsonObject): JsonObject {
  const given = atPath(block, 'affinity');
  if (truthy(given)) return { affinity: given };
  const presets = {
    podAffinity: podPreset(atPath(block, 'podAffinityPreset'), labels),
    podAntiAffinity: podPreset(atPath(block, 'podAntiAffinityPreset'), labels),
    nodeAffinity: nodePreset(atPath(block, 'nodeAffinityPreset')),
  };
  return { affinity: presets };
}

const fields = [
  'hostAliases',
  'nodeSelector',
  'tolerations',
  'topologySpreadConstraints',
  'schedulerName',
  'priorityClassName',
  'runtimeClassName',
];

function gracePeriod(block: Value): JsonObject {
  const given = atPath(block, 'terminationGracePeriodSeconds');
  return truthy(given) ? { terminationGracePeriodSeconds: yamlScalar(given) } : {};
}

/** Where the pods of a component may run, from its block of values. */
export function placement(etcd: EtcdRelease, block: Value, custom: JsonObject, component: string): JsonObject {
  return { ...affinity(block, selectorLabels(etcd, custom, component)), ...whereSet(block, ...fields), ...gracePeriod(block) };
}
