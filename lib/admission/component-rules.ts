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
import { fieldIssue, objectIssue, issueWithText, type AdmissionIssue } from './admission-issue.ts';
import { isZeroQuantity } from './quantity-syntax.ts';

/** The API group of the Gateway API Inference Extension, which an endpoint picker needs. */
const inferenceGroup = 'inference.networking.k8s.io';

/** A component and its field path. */
interface Component {
  readonly spec: JsonObject;
  readonly path: Path;
  /** API groups the cluster serves; if absent, the rule about installed APIs is skipped. */
  readonly apiGroups?: ReadonlySet<string> | undefined;
}

type Rule = (component: Component) => AdmissionIssue | undefined;

/** Number of nodes per replica; 1 without `multinode`. */
export function nodeCount(spec: Json | undefined): number {
  return valueAt(spec, 'multinode') === undefined ? 1 : (findNumber(findObject(spec, 'multinode'), 'nodeCount') ?? 0);
}

/** Rules for every component, each independent of the others. */
const rules: readonly Rule[] = [
  ({ spec, path }) => {
    const replicas = findNumber(spec, 'replicas');
    return replicas !== undefined && replicas < 0
      ? fieldIssue([...path, 'replicas'], 'negative', 'must be non-negative')
      : undefined;
  },
  ({ spec, path }) => {
    const ingress = findObject(spec, 'ingress');
    return isTrueAt(ingress, 'enabled') && stringAt(ingress, 'host') === ''
      ? fieldIssue([...path, 'ingress', 'host'], 'required', 'is required when ingress is enabled')
      : undefined;
  },
  ({ spec, path }) => {
    const invalid = listAt(spec, 'volumeMounts').findIndex(
      (mount) => !isTrueAt(mount, 'useAsCompilationCache') && stringAt(mount, 'mountPoint') === '',
    );
    return invalid < 0
      ? undefined
      : fieldIssue(
          [...path, 'volumeMounts', invalid, 'mountPoint'],
          'required',
          'is required when useAsCompilationCache is false',
        );
  },
  ({ spec, path }) => {
    const memory = findObject(spec, 'sharedMemory');
    return memory && !isTrueAt(memory, 'disabled') && isZeroQuantity(valueAt(memory, 'size'))
      ? fieldIssue([...path, 'sharedMemory', 'size'], 'required', 'is required when disabled is false')
      : undefined;
  },
];

/** Further rules for an endpoint picker, each independent of the others. */
const endpointPickerRules: readonly Rule[] = [
  ({ path, apiGroups }) =>
    apiGroups && !apiGroups.has(inferenceGroup)
      ? objectIssue(
          path,
          'api_missing',
          `EPP component needs the API group ${inferenceGroup}, which the cluster does not serve; install the Gateway API Inference Extension first`,
        )
      : undefined,
  ({ spec, path }) =>
    nodeCount(spec) > 1
      ? objectIssue(path, 'not_allowed', 'EPP component cannot be multinode (multinode field must be nil or nodeCount must be 1)')
      : undefined,
  ({ spec, path }) => {
    const replicas = findNumber(spec, 'replicas');
    return replicas !== undefined && replicas !== 1
      ? objectIssue(path, 'not_allowed', `EPP component must have exactly 1 replica (found ${replicas} replicas)`)
      : undefined;
  },
];

/** Rules for the configuration of an endpoint picker; only the first broken one is reported. */
const endpointPickerConfigRules: readonly Rule[] = [
  ({ spec, path }) =>
    findObject(spec, 'eppConfig') ? undefined : fieldIssue([...path, 'eppConfig'], 'required', 'is required for EPP components'),
  ({ spec, path }) => {
    const config = findObject(spec, 'eppConfig');
    return valueAt(config, 'configMapRef') === undefined && valueAt(config, 'config') === undefined
      ? objectIssue(
          [...path, 'eppConfig'],
          'required',
          'either configMapRef or config must be specified (no default configuration provided)',
        )
      : undefined;
  },
  ({ spec, path }) => {
    const config = findObject(spec, 'eppConfig');
    return valueAt(config, 'configMapRef') !== undefined && valueAt(config, 'config') !== undefined
      ? objectIssue(
          [...path, 'eppConfig'],
          'conflict',
          'configMapRef and config are mutually exclusive, only one can be specified',
        )
      : undefined;
  },
  ({ spec, path }) => {
    const reference = findObject(findObject(spec, 'eppConfig'), 'configMapRef');
    return reference && stringAt(reference, 'name') === ''
      ? fieldIssue([...path, 'eppConfig', 'configMapRef', 'name'], 'required', 'is required')
      : undefined;
  },
];

/** Returns the first rule that a component breaks, or all of them if `thorough`. */
export function validateComponent(component: Component, thorough = false): readonly AdmissionIssue[] {
  const applicable =
    stringAt(component.spec, 'componentType') === 'epp' ? [...rules, ...endpointPickerRules, endpointPickerConfig] : rules;
  const issues: AdmissionIssue[] = [];
  for (const rule of applicable) {
    const issue = rule(component);
    if (issue) issues.push(issue);
    if (issue && !thorough) break;
  }
  return issues;
}

const endpointPickerConfig: Rule = (component) => {
  for (const rule of endpointPickerConfigRules) {
    const issue = rule(component);
    if (issue) return issue;
  }
  return undefined;
};

/** Warnings about deprecated fields; the Dynamo namespace is computed from `owner`. */
export function warnComponent(
  { spec, path }: Component,
  owner: { readonly namespace: string; readonly graph: string },
): readonly AdmissionIssue[] {
  const warnings: AdmissionIssue[] = [];
  const given = stringAt(spec, 'dynamoNamespace');
  if (given !== '') {
    const computed = dynamoNamespace(owner.namespace, owner.graph, isTrueAt(spec, 'globalDynamoNamespace'));
    const message = `is deprecated and ignored. Value '${given}' will be replaced with '${computed}'. Remove this field from your configuration`;
    warnings.push(fieldIssue([...path, 'dynamoNamespace'], 'deprecated', message));
  }
  if (findObject(spec, 'autoscaling')) {
    const message =
      'is deprecated and ignored. Use DynamoGraphDeploymentScalingAdapter with HPA, KEDA, or Planner for autoscaling instead. See docs/kubernetes/autoscaling.md';
    warnings.push(fieldIssue([...path, 'autoscaling'], 'deprecated', message));
  }
  return warnings;
}

/** Rejects a change of `backendFramework`. An absent field equals an empty one. */
export function checkBackendUnchanged(
  spec: JsonObject,
  oldSpec: JsonObject,
): { readonly issues: readonly AdmissionIssue[]; readonly warnings: readonly AdmissionIssue[] } {
  return checkFieldUnchanged(spec, oldSpec, 'backendFramework', 'may cause unexpected behavior');
}

/** Rejects a change of a field of the spec and warns about the effect of such a change. */
export function checkFieldUnchanged(
  spec: JsonObject,
  oldSpec: JsonObject,
  field: string,
  effect: string,
): { readonly issues: readonly AdmissionIssue[]; readonly warnings: readonly AdmissionIssue[] } {
  if (stringAt(spec, field) === stringAt(oldSpec, field)) return { issues: [], warnings: [] };
  const path = ['spec', field];
  return {
    issues: [fieldIssue(path, 'immutable', 'is immutable and cannot be changed after creation')],
    warnings: [issueWithText(path, 'immutable', `Changing spec.${field} ${effect}`)],
  };
}
