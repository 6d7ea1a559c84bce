import { dynamoNamespace } from '../api/index.ts';
import {
  findNumber,
  findObject,
  isTrueAt,
  type Json,
  type JsonObject,
  listAt,
  type Path,
  stringAt,
  valueAt,
} from '../json/index.ts';
import { broken, wrong, worded, type AdmissionIssue } from './admission-issue.ts';
import { isZeroQuantity } from './quantity-syntax.ts';

/** The API group of the Gateway API Inference Extension, which an endpoint picker needs. */
const inferenceGroup = 'inference.networking.k8s.io';

/** A component and where it stands. */
interface Component {
  readonly spec: JsonObject;
  readonly path: Path;
  /** API groups the cluster serves; absent where that is not to be looked at. */
  readonly apiGroups?: ReadonlySet<string> | undefined;
}

type Rule = (component: Component) => AdmissionIssue | undefined;

/** Number of nodes of one replica; 1 unless `multinode` says otherwise. */
export function nodeCount(spec: Json | undefined): number {
  return valueAt(spec, 'multinode') === undefined ? 1 : (findNumber(findObject(spec, 'multinode'), 'nodeCount') ?? 0);
}

/** Rules that stand on their own. */
const rules: readonly Rule[] = [
  ({ spec, path }) => {
    const replicas = findNumber(spec, 'replicas');
    return replicas !== undefined && replicas < 0 ? broken([...path, 'replicas'], 'negative', 'must be non-negative') : undefined;
  },
  ({ spec, path }) => {
    const ingress = findObject(spec, 'ingress');
    return isTrueAt(ingress, 'enabled') && stringAt(ingress, 'host') === ''
      ? broken([...path, 'ingress', 'host'], 'required', 'is required when ingress is enabled')
      : undefined;
  },
  ({ spec, path }) => {
    const bad = listAt(spec, 'volumeMounts').findIndex(
      (mount) => !isTrueAt(mount, 'useAsCompilationCache') && stringAt(mount, 'mountPoint') === '',
    );
    return bad < 0
      ? undefined
      : broken([...path, 'volumeMounts', bad, 'mountPoint'], 'required', 'is required when useAsCompilationCache is false');
  },
  ({ spec, path }) => {
    const memory = findObject(spec, 'sharedMemory');
    return memory && !isTrueAt(memory, 'disabled') && isZeroQuantity(valueAt(memory, 'size'))
      ? broken([...path, 'sharedMemory', 'size'], 'required', 'is required when disabled is false')
      : undefined;
  },
];

/** Rules of an endpoint picker that stand on their own. */
const endpointPickerRules: readonly Rule[] = [
  ({ path, apiGroups }) =>
    apiGroups && !apiGroups.has(inferenceGroup)
      ? wrong(
          path,
          'api_missing',
          `EPP component needs the API group ${inferenceGroup}, which the cluster does not serve; install the Gateway API Inference Extension first`,
        )
      : undefined,
  ({ spec, path }) =>
    nodeCount(spec) > 1
      ? wrong(path, 'not_allowed', 'EPP component cannot be multinode (multinode field must be nil or nodeCount must be 1)')
      : undefined,
  ({ spec, path }) => {
    const replicas = findNumber(spec, 'replicas');
    return replicas !== undefined && replicas !== 1
      ? wrong(path, 'not_allowed', `EPP component must have exactly 1 replica (found ${replicas} replicas)`)
      : undefined;
  },
];

/** Rules of an endpoint picker of which the first broken one says it all. */
const endpointPickerConfigRules: readonly Rule[] = [
  ({ spec, path }) =>
    findObject(spec, 'eppConfig') ? undefined : broken([...path, 'eppConfig'], 'required', 'is required for EPP components'),
  ({ spec, path }) => {
    const config = findObject(spec, 'eppConfig');
    return valueAt(config, 'configMapRef') === undefined && valueAt(config, 'config') === undefined
      ? wrong(
          [...path, 'eppConfig'],
          'required',
          'either configMapRef or config must be specified (no default configuration provided)',
        )
      : undefined;
  },
  ({ spec, path }) => {
    const config = findObject(spec, 'eppConfig');
    return valueAt(config, 'configMapRef') !== undefined && valueAt(config, 'config') !== undefined
      ? wrong([...path, 'eppConfig'], 'conflict', 'configMapRef and config are mutually exclusive, only one can be specified')
      : undefined;
  },
  ({ spec, path }) => {
    const reference = findObject(findObject(spec, 'eppConfig'), 'configMapRef');
    return reference && stringAt(reference, 'name') === ''
      ? broken([...path, 'eppConfig', 'configMapRef', 'name'], 'required', 'is required')
      : undefined;
  },
];

/** The rules a component breaks: the first, or all of them if `thorough`. */
export function validateComponent(component: Component, thorough = false): readonly AdmissionIssue[] {
  const alone = stringAt(component.spec, 'componentType') === 'epp' ? [...rules, ...endpointPickerRules, pickerConfig] : rules;
  const issues: AdmissionIssue[] = [];
  for (const rule of alone) {
    const issue = rule(component);
    if (issue) issues.push(issue);
    if (issue && !thorough) break;
  }
  return issues;
}

const pickerConfig: Rule = (component) => {
  for (const rule of endpointPickerConfigRules) {
    const issue = rule(component);
    if (issue) return issue;
  }
  return undefined;
};

/** What a component's author should know; `owner` is what its Dynamo namespace is made of. */
export function warnComponent(
  { spec, path }: Component,
  owner: { readonly namespace: string; readonly graph: string },
): readonly AdmissionIssue[] {
  const warnings: AdmissionIssue[] = [];
  const given = stringAt(spec, 'dynamoNamespace');
  if (given !== '') {
    const computed = dynamoNamespace(owner.namespace, owner.graph, isTrueAt(spec, 'globalDynamoNamespace'));
    const message = `is deprecated and ignored. Value '${given}' will be replaced with '${computed}'. Remove this field from your configuration`;
    warnings.push(broken([...path, 'dynamoNamespace'], 'deprecated', message));
  }
  if (findObject(spec, 'autoscaling')) {
    const message =
      'is deprecated and ignored. Use DynamoGraphDeploymentScalingAdapter with HPA, KEDA, or Planner for autoscaling instead. See docs/kubernetes/autoscaling.md';
    warnings.push(broken([...path, 'autoscaling'], 'deprecated', message));
  }
  return warnings;
}

/** The refusal of a changed `backendFramework`, with its warning; the field counts as "" where it is absent. */
export function keepBackend(
  spec: JsonObject,
  oldSpec: JsonObject,
): { readonly issues: readonly AdmissionIssue[]; readonly warnings: readonly AdmissionIssue[] } {
  return keepField(spec, oldSpec, 'backendFramework', 'may cause unexpected behavior');
}

/** The refusal of any change to a field of the spec, with the warning of what a change would do. */
export function keepField(
  spec: JsonObject,
  oldSpec: JsonObject,
  field: string,
  effect: string,
): { readonly issues: readonly AdmissionIssue[]; readonly warnings: readonly AdmissionIssue[] } {
  if (stringAt(spec, field) === stringAt(oldSpec, field)) return { issues: [], warnings: [] };
  const path = ['spec', field];
  return {
    issues: [broken(path, 'immutable', 'is immutable and cannot be changed after creation')],
    warnings: [worded(path, 'immutable', `Changing spec.${field} ${effect}`)],
  };
}
