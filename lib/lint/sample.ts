import type { JsonObject } from '../json/index.ts';

/** Builders of the resources in rule examples. */

const image = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0';

/** A graph named `demo`. */
export function graph(
  services: Readonly<Record<string, JsonObject>>,
  spec: JsonObject = {},
  metadata: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'demo', ...metadata },
    spec: { ...spec, services },
  };
}

/** A frontend. `container` is merged into its container, `extra` into the component. */
export function frontend(container: JsonObject = {}, extra: JsonObject = {}): JsonObject {
  return {
    componentType: 'frontend',
    replicas: 1,
    ...extra,
    extraPodSpec: { ...(extra['extraPodSpec'] as JsonObject | undefined), mainContainer: { image, ...container } },
  };
}

/** A worker of an engine with its flags. `container` is merged into its container, `extra` into the component. */
export function worker(engine: string, args: readonly string[], extra: JsonObject = {}, container: JsonObject = {}): JsonObject {
  const { extraPodSpec, ...rest } = extra;
  return {
    componentType: 'worker',
    replicas: 1,
    envFromSecret: 'hf-token-secret',
    resources: { limits: { gpu: '1' } },
    ...rest,
    extraPodSpec: {
      ...(extraPodSpec as JsonObject | undefined),
      mainContainer: { image, command: ['python3', '-m', `dynamo.${engine}`], args, ...container },
    },
  };
}

/** The flags of every vLLM worker in the examples. */
export const vllmModel: readonly string[] = ['--model', 'Qwen/Qwen3-0.6B'];

/** The flags of every SGLang and TRT-LLM worker in the examples. */
export const pathModel: readonly string[] = ['--model-path', 'Qwen/Qwen3-0.6B', '--served-model-name', 'Qwen/Qwen3-0.6B'];

/** A graph with a tensor-parallel vLLM worker. */
export function tensorParallel(size: number, gpu: string, extra: JsonObject = {}): JsonObject {
  const args = [...vllmModel, '--tensor-parallel-size', `${size}`];
  return graph({ Frontend: frontend(), Worker: worker('vllm', args, { resources: { limits: { gpu } }, ...extra }) });
}

/** A prefill worker of vLLM. */
export function prefill(args: readonly string[] = [], extra: JsonObject = {}): JsonObject {
  return worker('vllm', [...vllmModel, '--is-prefill-worker', ...args], { subComponentType: 'prefill', ...extra });
}

/** A decode worker of vLLM. */
export function decode(args: readonly string[] = [], extra: JsonObject = {}): JsonObject {
  return worker('vllm', [...vllmModel, '--is-decode-worker', ...args], { subComponentType: 'decode', ...extra });
}

/** Any other object that is applied with a graph. */
export function object(apiVersion: string, kind: string, name: string, body: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name }, ...body };
}
