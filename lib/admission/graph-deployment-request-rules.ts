import { findObject, isTrueAt, type JsonObject, objectAt, stringAt, valueAt } from '../json/index.ts';
import { broken, worded, type AdmissionIssue } from './admission-issue.ts';
import type { AdmissionRules } from './admission-request.ts';

const gpuDiscovery = [
  'can only be set to true for cluster-wide operators. Namespace-restricted operators cannot access cluster nodes for GPU discovery.',
  'Please set enableGpuDiscovery to false and provide hardware configuration (hardware.min_num_gpus_per_engine,',
  'hardware.max_num_gpus_per_engine, hardware.num_gpus_per_node) in spec.profilingConfig.config',
].join(' ');

/** Values of the profiling config that the spec overrides: its section and field there, the field of the spec. */
const overridden = [
  ['engine', 'backend', 'backend'],
  ['deployment', 'model', 'model'],
] as const;

function warn(spec: JsonObject): readonly AdmissionIssue[] {
  const config = findObject(findObject(spec, 'profilingConfig'), 'config');
  return overridden.flatMap(([section, field, wins]) => {
    const given = stringAt(findObject(config, section), field);
    const winner = stringAt(spec, wins);
    if (given === '' || given === winner) return [];
    const path = ['spec', 'profilingConfig', 'config', section, field];
    const message = `(${given}) will be overwritten by spec.${wins} (${winner})`;
    return [broken(path, 'overwritten', message)];
  });
}

/** Rules of a DynamoGraphDeploymentRequest; an update has no rules of its own. */
export const graphDeploymentRequest: AdmissionRules = {
  validate: ({ object }, context) => {
    const spec = objectAt(object, 'spec');
    const profiling = findObject(spec, 'profilingConfig');
    const path = ['spec', 'profilingConfig'];
    const config = valueAt(profiling, 'config');
    const issues: AdmissionIssue[] = [];
    if (stringAt(profiling, 'profilerImage') === '') issues.push(broken([...path, 'profilerImage'], 'required', 'is required'));
    if (config === undefined) issues.push(broken([...path, 'config'], 'required', 'is required and must not be empty'));
    if (isTrueAt(spec, 'enableGpuDiscovery') && context.restrictedNamespace)
      issues.push(broken(['spec', 'enableGpuDiscovery'], 'not_allowed', gpuDiscovery));
    if (config !== undefined && !findObject(profiling, 'config'))
      issues.push(
        worded([...path, 'config'], 'invalid', 'failed to parse spec.profilingConfig.config: not a map', 'must be a map'),
      );
    return { issues, warnings: warn(spec) };
  },
  validateUpdate: () => ({ issues: [], warnings: [] }),
};
