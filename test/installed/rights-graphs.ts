/** Resources that together need every right of the operator: what a graph can have, a request, a model, and what they refer to. */
import type { JsonObject } from '../../lib/json/index.ts';
import type { WholeObject } from '../control-plane/rest-paths.ts';

/** Namespace of all of them. */
export const namespace = 'rights';
const apiVersion = 'nvidia.com/v1alpha1';
const image = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0';
const extraPodSpec = { mainContainer: { image } };
const worker = { componentType: 'worker', replicas: 1, resources: { limits: { gpu: '1' } }, extraPodSpec };
const model = 'Qwen/Qwen3-0.6B';

/** A graph with an Ingress and a VirtualService, a claim, an adapter, a model and an endpoint picker. */
export const graph: WholeObject = {
  apiVersion,
  kind: 'DynamoGraphDeployment',
  metadata: { namespace, name: 'life' },
  spec: {
    pvcs: [{ name: 'cache', create: true, size: '1Gi', storageClass: 'fast', volumeAccessMode: 'ReadWriteMany' }],
    services: {
      Frontend: {
        componentType: 'frontend',
        replicas: 1,
        extraPodSpec,
        ingress: {
          enabled: true,
          host: 'life',
          ingressControllerClassName: 'nginx',
          useVirtualService: true,
          virtualServiceGateway: 'istio-system/gateway',
        },
      },
      decode: { ...worker, modelRef: { name: model }, scalingAdapter: { enabled: true } },
      Epp: {
        componentType: 'epp',
        replicas: 1,
        extraPodSpec,
        eppConfig: { config: { plugins: [{ type: 'single-profile-handler' }], schedulingProfiles: [] } },
      },
    },
  },
};

const adapted = { ...worker, scalingAdapter: { enabled: true } };
const frontend = { componentType: 'frontend', replicas: 1, extraPodSpec };

/** LeaderWorkerSets take no container without arguments. */
const started = { mainContainer: { image, command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', model] } };
const wide = { ...adapted, replicas: 2, multinode: { nodeCount: 2 }, extraPodSpec: started };

/** A graph for orchestrators, with a service over two nodes. */
export const wideGraph: WholeObject = {
  apiVersion,
  kind: 'DynamoGraphDeployment',
  metadata: { namespace, name: 'life' },
  spec: {
    backendFramework: 'vllm',
    services: { Frontend: frontend, decode: adapted, wide },
  },
};

/** One that can live without an orchestrator. */
export const narrowGraph: WholeObject = {
  apiVersion,
  kind: 'DynamoGraphDeployment',
  metadata: { namespace, name: 'life-narrow' },
  spec: { services: { Frontend: frontend } },
};

/** The first graph when it has shrunk: no way in from outside, no adapter, no model, another way to find workers. */
export const shrunk: JsonObject = {
  metadata: { annotations: { 'nvidia.com/dynamo-discovery-backend': 'etcd' } },
  spec: {
    services: {
      Frontend: { ingress: { enabled: false } },
      decode: { modelRef: null, scalingAdapter: { enabled: false } },
    },
  },
};

/** A LoRA of the model. */
export const lora: WholeObject = {
  apiVersion,
  kind: 'DynamoModel',
  metadata: { namespace, name: 'lora' },
  spec: { modelName: 'fine', baseModelName: model, modelType: 'lora', source: { uri: 's3://models/fine' } },
};

/** A request whose graph is deployed at once. */
export function request(name: string): WholeObject {
  const config = { sla: { isl: 3000, osl: 150, ttft: 200, itl: 20 } };
  return {
    apiVersion,
    kind: 'DynamoGraphDeploymentRequest',
    metadata: { namespace, name },
    spec: { model, backend: 'vllm', profilingConfig: { profilerImage: image, config }, autoApply: true },
  };
}

/** What the profiler of a request leaves: a graph, and a ConfigMap that goes with it. */
export function profilerOutput(name: string): WholeObject {
  const data = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-profile` }, data: { a: 'b' } };
  const services = { Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec } };
  const found = { apiVersion, kind: 'DynamoGraphDeployment', metadata: { name: `${name}-graph` }, spec: { services } };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: `dgdr-output-${name}` },
    data: { 'config_with_planner.yaml': [data, found].map((object) => JSON.stringify(object)).join('\n---\n') },
  };
}

/** Credentials of a registry. */
export const pullSecret: WholeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace, name: 'registry' },
  type: 'kubernetes.io/dockerconfigjson',
  stringData: { '.dockerconfigjson': JSON.stringify({ auths: { 'nvcr.io': { auth: 'bm9ib2R5Om5vdGhpbmc=' } } }) },
};
