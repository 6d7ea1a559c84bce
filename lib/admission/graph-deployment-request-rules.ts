import { findObject, isTrueAt, type JsonObject, objectAt, stringAt, valueAt } from '../json/index.ts';
import { fieldIssue, issueWithText, type AdmissionIssue } from './admission-issue.ts';
import type { AdmissionRules } from './admission-request.ts';

const gpuDiscovery = [
  'can only be set to true for cluster-wide operators. Namespace-restricted operators cannot access cluster nodes for GPU discovery.',
  'Please set enableGpuDiscovery to false and provide hardware configuration (hardware.min_num_gpus_per_engine,',
  'hardware.max_num_gpus_per_engine, hardware.num_gpus_per_node) in spec.profilingConfig.config',
].join(' ');

/** Fields of the profiling config that the spec overrides: section and field of the config, field of the spec. */
const overridden = [
  ['engine', 'backend', 'backend'],
  ['deployment', 'model', 'model'],
] as const;

function warn(spec: JsonObject): readonly AdmissionIssue[] {
  const config = findObject(findObject(spec, 'profilingConfig'), 'config');
  return overridden.flatMap(([section, field, specField]) => {
    const given = stringAt(findObject(config, section), field);
    const used = stringAt(spec, specField);
    if (given === '' || given === used) return [];
    const path = ['spec', 'profilingConfig', 'config', section, field];
    const message = `(${given}) will be overwritten by spec.${specField} (${used})`;
    return [fieldIssue(path, 'overwritten', message)];
  });
}

/** Admission rules for a DynamoGraphDeploymentRequest; an update has no additional ones. */
export const graphDeploymentRequest: AdmissionRules = {
  validate: ({ object }, context) => {
    const spec = objectAt(object, 'spec');
    const profiling = findObject(spec, 'profilingConfig');
    const path = ['spec', 'profilingConfig'];
    const config = valueAt(profiling, 'config');
    const issues: AdmissionIssue[] = [];
    if (stringAt(profiling, 'profilerImage') === '')
      issues.push(fieldIssue([...path, 'profilerImage'], 'required', 'is required'));
    if (config === undefined) issues.push(fieldIssue([...path, 'config'], 'required', 'is required and must not be empty'));
    if (isTrueAt(spec, 'enableGpuDiscovery') && context.restrictedNamespace)
      issues.push(fieldIssue(['spec', 'enableGpuDiscovery'], 'not_allowed', gpuDiscovery));
    if (config !== undefined && !findObject(profiling, 'config'))
      issues.push(
        issueWithText([...path, 'config'], 'invalid', 'failed to parse spec.profilingConfig.config: not a map', 'must be a map'),
      );
    return { issues, warnings: warn(spec) };
  },
  validateUpdate: () => ({ issues: [], warnings: [] }),
};
