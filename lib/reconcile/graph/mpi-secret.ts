import { stringAt } from '../../json/index.ts';
import type { DynamoGraphDeployment } from '../../api/index.ts';
import { resolveFramework } from '../../render/index.ts';
import { isOutOfReach } from '../cluster.ts';
import type { GraphPass, StagePlan } from './graph-pass.ts';
import { kinds } from '../kinds.ts';
import { isDeleting, keyOf } from '../metadata.ts';
import type { Step } from '../plan.ts';
import type { ObjectKey } from '../snapshot.ts';

const chain = 'failed to replicate MPI secret: ';

/** Copies the MPI Secret into the graph's namespace. A Secret that a user made there is left alone, and only graphs that mount it need it. */
export function mpiSecretPlan({ snapshot, reader, graph, namespace }: GraphPass): StagePlan {
  const { mpiSecretName: name, mpiSecretNamespace: from, restrictedNamespace } = snapshot.config;
  if (name === '') return { steps: [] };
  const target: ObjectKey = { ...kinds.secret, namespace, name };
  const source: ObjectKey = { ...kinds.secret, namespace: from, name };
  const original = isOutOfReach(from, restrictedNamespace) ? undefined : reader.get(kinds.secret, from, name);
  const copy = from === namespace ? original : reader.get(kinds.secret, namespace, name);
  if (copy === undefined && original === undefined)
    return mountsSecret(graph)
      ? { steps: [], failure: `${chain}error getting source secret: Secret "${name}" not found` }
      : { steps: [] };
  if (original === undefined || from === namespace) return { steps: [] };
  if (copy === undefined)
    return { steps: [[{ write: { verb: 'copySecret', target, source }, chain: `${chain}failed to create replica: ` }]] };
  return { steps: [] };
}

/** Updates the copy from its source. This write comes last: if it is refused, the graph still works with the old copy. */
export function mpiSecretRefresh({ snapshot, reader, namespace }: GraphPass): readonly Step[] {
  const { mpiSecretName: name, mpiSecretNamespace: from, restrictedNamespace } = snapshot.config;
  if (name === '' || from === namespace || isOutOfReach(from, restrictedNamespace)) return [];
  const [original, copy] = [reader.get(kinds.secret, from, name), reader.get(kinds.secret, namespace, name)];
  if (original === undefined || copy === undefined || isDeleting(copy)) return [];
  const isStale = copy['copied'] === true && copy['type'] === original['type'] && copy['digest'] !== original['digest'];
  if (!isStale) return [];
  const resourceVersion = stringAt(copy, 'metadata', 'resourceVersion');
  const write = { verb: 'copySecret', target: keyOf(copy), source: keyOf(original), resourceVersion } as const;
  return [[{ write, chain: `${chain}failed to update replica: `, told: { verb: 'Update', kind: 'Secret', name } }]];
}

/** Whether pods of a graph mount the Secret: those of TRT-LLM services that span nodes. */
function mountsSecret({ spec }: DynamoGraphDeployment): boolean {
  return Object.values(spec?.services ?? {}).some((component) => {
    if (component === undefined || component === null || (component.multinode?.nodeCount ?? 1) <= 1) return false;
    const framework = resolveFramework(component, spec?.backendFramework);
    return 'value' in framework && framework.value === 'trtllm';
  });
}
