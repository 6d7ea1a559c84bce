import { admit } from '../../admission/index.ts';
import { findObject, isTrueAt, type JsonObject, objectAt, stringAt, valueAt } from '../../json/index.ts';
import type { Event } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { keyOf } from '../metadata.ts';
import type { Reader } from '../reader.ts';
import type { Snapshot } from '../snapshot.ts';

/** Why a request is invalid: every rule of the webhook that it breaks, or the first object it refers to that does not exist. */
export function validateRequest({ resource, config }: Snapshot, reader: Reader): string | undefined {
  const { issues } = admit({ operation: 'CREATE', object: resource }, { restrictedNamespace: config.restrictedNamespace });
  if (issues.length > 0) return issues.map(({ text }) => text).join('\n');
  return missingReference(resource, reader);
}

function missingReference(resource: JsonObject, reader: Reader): string | undefined {
  const { namespace } = keyOf(resource);
  const profiling = objectAt(resource, 'spec', 'profilingConfig');
  const reference = findObject(profiling, 'configMapRef');
  if (reference !== undefined) {
    const name = stringAt(reference, 'name');
    const key = stringAt(reference, 'key') || 'disagg.yaml';
    const found = reader.get(kinds.configMap, namespace, name);
    if (found === undefined) return `ConfigMap ${name} not found in namespace ${namespace}`;
    if (valueAt(found, 'data', key) === undefined) return `key ${key} not found in ConfigMap ${name}`;
  }
  const cache = objectAt(profiling, 'config', 'deployment', 'modelCache');
  const claim = stringAt(cache, 'pvcName');
  if (claim === '' || reader.get(kinds.claim, namespace, claim) !== undefined) return undefined;
  return `model cache PVC ${claim} not found in namespace ${namespace}`;
}

/** A warning that the profiler is not allowed to read nodes: only its account in the operator's own namespace is. */
export function gpuDiscoveryWarning({ resource, config, operatorNamespace }: Snapshot): readonly Event[] {
  const { namespace } = keyOf(resource);
  const asks = isTrueAt(resource, 'spec', 'enableGpuDiscovery');
  if (!asks || config.restrictedNamespace !== '' || operatorNamespace === undefined || operatorNamespace === namespace) return [];
  const message = [
    `spec.enableGpuDiscovery has no effect in namespace ${namespace}: the profiler may read nodes only in namespace ${operatorNamespace}.`,
    'Create the request there, or set hardware.min_num_gpus_per_engine, hardware.max_num_gpus_per_engine and',
    'hardware.num_gpus_per_node in spec.profilingConfig.config',
  ].join(' ');
  return [{ type: 'Warning', reason: 'GPUDiscoveryNotPermitted', message }];
}
