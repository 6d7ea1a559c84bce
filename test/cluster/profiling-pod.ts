/** Acts as the kubelet of a profiling pod: writes the status of the pod. */
import { setTimeout } from 'node:timers/promises';
import { objectAt, type JsonObject } from '../../lib/json/index.ts';
import { type Client, type KubernetesObject, succeeded } from '../control-plane/client.ts';

/** A graph as the profiler writes it. */
export const graphYaml = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata:
  name: asked
spec:
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec:
        mainContainer:
          image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0
`;

/** What the profiler writes beside the graph. */
export const plannerYaml = `apiVersion: v1
kind: ConfigMap
metadata:
  name: planner-profile-data
data:
  prefill_raw_data.json: '{"prefill_isl": [100]}'
`;

/** Waits for what the control plane does by itself. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = AbortSignal.timeout(180_000);
  while (!deadline.aborted) {
    const found = await look();
    if (found !== undefined) return found;
    await setTimeout(100);
  }
  throw new Error(`${what} did not happen within three minutes`);
}

/** The pod that the Job controller made for a request. */
export function profilingPod(client: Client, namespace: string, request: string): Promise<KubernetesObject> {
  return until('a pod of the Job', async () => {
    const collection = { apiVersion: 'v1', kind: 'Pod', namespace };
    const { items } = succeeded(await client.list(collection, { labelSelector: `job-name=profile-${request}` }));
    return items[0];
  });
}

/** The script of a profiling pod's sidecar. */
export function sidecarScript(pod: KubernetesObject): string {
  const { containers } = pod['spec'] as {
    readonly containers: readonly { readonly name: string; readonly args?: readonly string[] }[];
  };
  return containers.find(({ name }) => name === 'output-copier')?.args?.[0] ?? '';
}

/** Sets phase and container states of a pod. */
export async function setPod(
  client: Client,
  { metadata }: KubernetesObject,
  phase: string,
  profiler: JsonObject,
  copier: JsonObject,
): Promise<void> {
  const containerStatuses = [
    ['profiler', profiler],
    ['output-copier', copier],
  ].map(([name, state]) => ({ name, state, image: 'x', imageID: '', ready: false, restartCount: 0 }));
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata };
  succeeded(await client.merge(pod, { status: { phase, containerStatuses } }, 'status'));
}

/** The state of a container that ended. */
export const ended = (exitCode: number): JsonObject => ({
  terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' },
});

/** Waits for the end of a request's Job. */
export function jobComplete(client: Client, namespace: string, request: string): Promise<true> {
  return until('the end of the Job', async () => {
    const metadata = { namespace, name: `profile-${request}` };
    const { body } = await client.get<JsonObject>({ apiVersion: 'batch/v1', kind: 'Job', metadata });
    const { conditions } = objectAt(body, 'status');
    return JSON.stringify(conditions ?? []).includes('"type":"Complete"') ? true : undefined;
  });
}
