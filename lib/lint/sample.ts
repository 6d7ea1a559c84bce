import type { JsonObject } from '../json/index.ts';

/** Builders for the examples of rules, so that each shows only what matters. */

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

/** A frontend; `container` adds to its container, `extra` to the component. */
export function frontend(container: JsonObject = {}, extra: JsonObject = {}): JsonObject {
  return {
    componentType: 'frontend',
    replicas: 1,
    ...extra,
    extraPodSpec: { ...(extra['extraPodSpec'] as JsonObject | undefined), mainContainer: { image, ...container } },
  };
}

/** A worker of an engine with its flags; `container` adds to its container, `extra` to the component. */
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

/** The flags every vLLM worker of the examples has. */
export const vllmModel: readonly string[] = ['--model', 'Qwen/Qwen3-0.6B'];

/** The flags every SGLang and TRT-LLM worker of the examples has. */
export const pathModel: readonly string[] = ['--model-path', 'Qwen/Qwen3-0.6B', '--served-model-name', 'Qwen/Qwen3-0.6B'];

/** A graph whose vLLM worker spreads over GPUs by tensor parallelism. */
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

/** Any other object of the same apply. */
export function object(apiVersion: string, kind: string, name: string, body: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name }, ...body };
}
