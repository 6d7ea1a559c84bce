import type { ComponentOptions, DynamoGraph } from '../../lib/graph/index.ts';

/** Adds the three workers that see images: one encodes them, one answers, one puts prompts together. */
export function addMultimodalWorkers(
  graph: DynamoGraph,
  model: string,
  promptTemplate: string,
  options: ComponentOptions = {},
): void {
  const add = (name: string, script: string, ...args: readonly string[]) =>
    graph.addComponent(name, {
      type: 'worker',
      gpus: 1,
      envFromSecret: { name: 'hf-token-secret' },
      workingDir: '/workspace/examples/multimodal',
      container: { command: ['python3', `components/${script}.py`], args: ['--model', model, ...args] },
      ...options,
    });
  add('EncodeWorker', 'encode_worker');
  add('VLMWorker', 'worker', '--worker-type', 'prefill');
  add('Processor', 'processor', '--prompt-template', promptTemplate);
}

/** How Qwen's vision models want to be asked. */
export const qwenTemplate = String.raw`<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|><prompt><|im_end|>\n<|im_start|>assistant\n`;
