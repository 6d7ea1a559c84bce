import { stringAt, valueAt } from '../../json/index.ts';
import { profilingOutputName } from '../../render/index.ts';
import type { Condition } from '../condition.ts';
import type { Decision } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { keyOf, metadataPatch } from '../metadata.ts';
import type { Reader } from '../reader.ts';
import type { RefusedWrite, Snapshot } from '../snapshot.ts';
import { acceptedSpec } from './accepted-spec.ts';
import { additionalResourcesText, configMapWrites, ownersWith } from './additional-resources.ts';
import { readOutput } from './profiling-output.ts';
import { isDefinitive, isVerdict } from './refusal.ts';
import { requestAnnotation } from './request-keys.ts';
import { fail, moveTo, tryAgain } from './request-status.ts';

/** The event about a ConfigMap that could not be written. */
const notMade = 'ConfigMapCreationFailed';

const completed: Condition = {
  type: 'Profiling',
  status: 'True',
  reason: 'ProfilingCompleted',
  message: 'Profiling job completed successfully',
};

/** Takes the graph out of what the profiler wrote, and the ConfigMaps that go with it. */
export function generateGraph(snapshot: Snapshot, reader: Reader): Decision {
  const { resource, refused } = snapshot;
  const { namespace, name } = keyOf(resource);
  const { autoApply, useMocker, overrides } = acceptedSpec(resource);
  const outputName = profilingOutputName(name);
  const output = reader.get(kinds.configMap, namespace, outputName);
  const failed = (message: string): Decision =>
    fail(snapshot, 'SpecGenerated', 'GenerationFailed', message, 'GenerationFailed', [completed]);
  if (output === undefined) return failed(`output ConfigMap ${outputName} not found - profiling may not have completed yet`);
  const key = useMocker ? 'mocker_config_with_planner.yaml' : 'config_with_planner.yaml';
  const text = valueAt(output, 'data', key);
  if (typeof text !== 'string') return failed(`key ${key} not found in ConfigMap ${outputName}`);
  const read = readOutput(text, key);
  if (typeof read === 'string') return failed(read);
  const kept = additionalResourcesText(read.additional);
  if ('problem' in kept) return failed(kept.problem);
  const refusedHere = refused?.target.kind === keyOf(resource).kind ? refused : undefined;
  if (refusedHere !== undefined)
    return isDefinitive(refusedHere) ? failed(refusedHere.message) : { steps: [], events: [], error: refusedHere.message };
  if (refused !== undefined && !isVerdict(refused)) {
    const told = {
      type: 'SpecGenerated',
      status: 'False',
      reason: notMade,
      message: configMapProblem(refused, outputName),
    } as const;
    return tryAgain(snapshot, 'Profiling', told, notMade, [completed]);
  }
  const target = stringAt(overrides, 'namespace') || namespace;
  const configMaps = configMapWrites(resource, read.additional, target, reader);
  const owners = ownersWith(output, resource);
  const annotations: Record<string, string> =
    read.additional.length > 0 ? { [requestAnnotation.additionalResources]: kept.text } : {};
  const message = autoApply
    ? 'DynamoGraphDeployment spec generated successfully'
    : 'Generated spec is available in status.generatedDeployment';
  return moveTo(snapshot, {
    state: autoApply ? 'Deploying' : 'Ready',
    // A ConfigMap that cannot be created leads to an event; the graph is generated all the same.
    before: [
      metadataPatch(resource, { annotations }),
      refused === undefined ? [...(owners === undefined ? [] : metadataPatch(output, { owners })), ...configMaps.writes] : [],
    ],
    fields: { generatedDeployment: read.graph, profilingResults: `configmap/${outputName}` },
    conditions: [completed, { type: 'SpecGenerated', status: 'True', reason: 'SpecGenerated', message }],
    events: [
      ...(refused === undefined
        ? configMaps.events
        : [{ type: 'Warning', reason: notMade, message: configMapProblem(refused, outputName) } as const]),
      { type: 'Normal', reason: 'SpecGenerated', message: 'DynamoGraphDeployment spec generated successfully' },
    ],
  });
}

/** The error message about a refused write to a ConfigMap. */
function configMapProblem({ verb, target, message }: RefusedWrite, outputName: string): string {
  if (verb === 'patch' && target.name === outputName)
    return `Failed to set the owner of output ConfigMap ${outputName}: ${message}`;
  return `Failed to create ConfigMaps from profiling output: failed to create ConfigMap ${target.name}: ${message}`;
}
