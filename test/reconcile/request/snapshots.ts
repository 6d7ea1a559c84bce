import { isObject, type JsonObject } from '../../../lib/json/index.ts';
import type { Decision, Write } from '../../../lib/reconcile/decision.ts';
import { decideRequest } from '../../../lib/reconcile/request/decide-request.ts';
import { lookupKey, type Lookup, type Snapshot } from '../../../lib/reconcile/snapshot.ts';
import { flagDefaults } from '../../../lib/render/index.ts';

/** The operator of these tests: cluster-wide, with a role for profilers. */
export const config = { ...flagDefaults, profilingClusterRole: 'profiling' };

/** A request as stored, with what a test gives it on top. */
export function request(spec: JsonObject = {}, status?: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentRequest',
    metadata: {
      name: 'ask',
      namespace: 'demo',
      uid: 'u1',
      generation: 1,
      resourceVersion: '7',
      finalizers: ['nvidia.com/finalizer'],
      ...metadata,
    },
    spec: {
      model: 'Qwen/Qwen3-0.6B',
      backend: 'vllm',
      autoApply: false,
      useMocker: false,
      enableGpuDiscovery: false,
      profilingConfig: { profilerImage: 'profiler:1', config: { sla: { isl: 3000 } } },
      ...spec,
    },
    ...(status && { status }),
  };
}

/** The status of a request whose profiler runs. */
export const profiling = { state: 'Profiling', backend: 'vllm', observedGeneration: 1 };

/** The role that lets profilers work. */
export const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'profiling' } };

/** A Job of the request in a state, or of somebody else. */
export function job(conditions: readonly JsonObject[] = [], metadata: JsonObject = {}): JsonObject {
  const owner = {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentRequest',
    name: 'ask',
    uid: 'u1',
    controller: true,
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'profile-ask',
      namespace: 'demo',
      uid: 'job-1',
      resourceVersion: '3',
      ownerReferences: [owner],
      ...metadata,
    },
    status: { conditions },
  };
}

/** A Job that is done. */
export const completeJob = job([{ type: 'Complete', status: 'True' }]);

/** A pod of the Job with a state of its profiler. */
export function pod(phase: string, state: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'profile-ask-x', namespace: 'demo', labels: { 'job-name': 'profile-ask' }, ...metadata },
    status: {
      phase,
      containerStatuses: [
        { name: 'output-copier', state: { running: {} } },
        { name: 'profiler', state },
      ],
    },
  };
}

/** What the profiler wrote. */
export function output(data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'dgdr-output-ask', namespace: 'demo', uid: 'cm-1', resourceVersion: '5', ...metadata },
    data,
  };
}

/** A graph as a profiler writes it. */
export const graphText = JSON.stringify({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'asked' },
  spec: {
    services: { Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer: { image: 'runtime:1' } } } },
  },
});

/** The planner's data as a profiler writes it. */
export const plannerText = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'planner-profile-data' },
  data: { a: 'b' },
});

function meta(object: JsonObject): JsonObject {
  return isObject(object['metadata']) ? object['metadata'] : {};
}

function matches(object: JsonObject, lookup: Lookup): boolean {
  const { name, namespace = '', labels } = meta(object);
  if (object['apiVersion'] !== lookup.apiVersion || object['kind'] !== lookup.kind || namespace !== lookup.namespace)
    return false;
  if (lookup.question === 'get') return name === lookup.name;
  if (!('labels' in lookup.select)) throw new Error('these tests know labels only');
  return Object.entries(lookup.select.labels).every(([key, value]) => isObject(labels) && labels[key] === value);
}

/** What is decided about a request in a cluster with these other objects; every look-up is answered. */
export function decided(resource: JsonObject, cluster: readonly JsonObject[] = [role], more: Partial<Snapshot> = {}): Decision {
  const objects: Record<string, JsonObject | null> = {};
  const lists: Record<string, readonly JsonObject[]> = {};
  const snapshot: Snapshot = { now: '2026-11-16T12:00:00.250Z', config, apiGroups: [], resource, objects, lists, ...more };
  for (let round = 0; round < 5; round++) {
    const answer = decideRequest(snapshot);
    if (answer.answer === 'decision') return answer.decision;
    if (answer.answer === 'effects') throw new Error('a request has no effects');
    for (const lookup of answer.lookups) {
      const found = cluster.filter((object) => matches(object, lookup));
      if (lookup.question === 'get') objects[lookupKey(lookup)] = found[0] ?? null;
      else lists[lookupKey(lookup)] = found;
    }
  }
  throw new Error('a decision asks for ever');
}

/** The status a decision writes. */
export function statusIn({ steps }: Decision): JsonObject | undefined {
  const write = steps.flat().find(({ verb }) => verb === 'status');
  const status = write?.verb === 'status' ? write.object['status'] : undefined;
  return isObject(status) ? status : undefined;
}

/** The events of a decision, as texts. */
export function eventsIn({ events }: Decision): readonly string[] {
  return events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
}

/** The writes of a decision, step by step, as texts. */
export function writesIn({ steps }: Decision): readonly (readonly string[])[] {
  return steps.map((step) => step.map(({ verb, target }) => `${verb} ${target.kind} ${target.namespace}/${target.name}`));
}

/** The object a decision creates. */
export function createdIn({ steps }: Decision, kind: string): JsonObject {
  const write = steps
    .flat()
    .find((write): write is Extract<Write, { verb: 'create' }> => write.verb === 'create' && write.target.kind === kind);
  if (write === undefined) throw new Error(`no ${kind} is created`);
  return write.object;
}
