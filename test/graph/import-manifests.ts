import type { Json } from '../../lib/api/index.ts';
import { readManifests } from '../../lib/manifest/index.ts';

/** The documents of a YAML text. */
export const parse = (text: string): Json[] => readManifests(text, 'test.yaml').documents.map((d) => d.value);

/** A graph with the given services. */
export const graph = (services: string, more = ''): string => `
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: { name: mine }
spec:
  ${more}
  services:${services}`;

/** A frontend among the services of a graph. */
export const frontend = `
    Frontend: { componentType: frontend, replicas: 1, extraPodSpec: { mainContainer: { image: 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0' } } }`;

/** A vLLM worker among the services of a graph. */
export const worker = (name: string, args: string, more = ''): string => `
    ${name}:
      componentType: worker
      replicas: 1
      envFromSecret: hf-token-secret
      resources: { limits: { gpu: "1" } }
      ${more}
      extraPodSpec:
        mainContainer:
          image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0
          workingDir: /workspace/examples/backends/vllm
          command: [python3, -m, dynamo.vllm]
          args: [${args}]`;
