import { withArgs, withoutProbes, injectFlags } from './inject.ts';
import type { PodRequest, RenderedContainer } from '../pod/types.ts';

/** vLLM across nodes: one engine over all GPUs with Ray, or one engine per share of the GPUs with data parallelism. */
export function spreadVllm(container: RenderedContainer, request: PodRequest): RenderedContainer {
  const launched = launch(container, request);
  return request.role === 'worker' ? withoutProbes(launched) : launched;
}

function launch(container: RenderedContainer, request: PodRequest): RenderedContainer {
  const plan = vllmPlan(container.args ?? [], request.component.resources?.limits?.gpu);
  if (plan.launch === 'none') return container;
  return plan.launch === 'ray' ? launchRay(container, request) : launchDataParallel(container, request, plan);
}

/** How vLLM is started on several nodes, from its own flags and the GPUs of a node. */
interface VllmPlan {
  readonly launch: 'none' | 'ray' | 'data-parallel';
  /** GPUs one engine needs. */
  readonly engineSize: number;
  readonly dataParallel: number;
  readonly gpus: number;
}

/** Decides the launch; only flags written as two words in the arguments count. */
export function vllmPlan(args: readonly string[], gpu: string | undefined): VllmPlan {
  const words = args.flatMap((arg) => arg.split(/\s+/).filter((word) => word !== ''));
  const gpus = integer(gpu) ?? 0;
  const engineSize = flag(words, '--tensor-parallel-size') * flag(words, '--pipeline-parallel-size');
  const dataParallel = flag(words, '--data-parallel-size');
  const launch = gpus === 0 ? 'none' : engineSize > gpus ? 'ray' : engineSize * dataParallel > gpus ? 'data-parallel' : 'none';
  return { launch, engineSize, dataParallel, gpus };
}

/** An integer as Go reads one: an optional sign and digits, nothing else. */
export function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

function flag(words: readonly string[], name: string): number {
  for (const [index, word] of words.entries()) {
    const value = word === name ? integer(words[index + 1]) : undefined;
    if (value !== undefined) return value;
  }
  return 1;
}

function launchRay(container: RenderedContainer, { role, deployer, serviceName }: PodRequest): RenderedContainer {
  const shell = ['/bin/sh', '-c'];
  const { command = [], args = [] } = container;
  const lines = {
    leader: [`ray start --head --port=6379 && ${command.join(' ')} ${args.join(' ')} --distributed-executor-backend ray`],
    worker: [`ray start --address=${deployer.leaderHost(serviceName)}:6379 --block`],
    main: args,
  };
  return withArgs(container, shell, lines[role]);
}

function launchDataParallel(container: RenderedContainer, request: PodRequest, plan: VllmPlan): RenderedContainer {
  const { role, deployer, serviceName } = request;
  if (role === 'main') return injectFlags(container, '', false, 'vllm');
  const local = Math.floor(plan.gpus / plan.engineSize);
  const leads = role === 'leader';
  const rank = leads ? '0' : `$(( ${local} * ${deployer.workerRank} ))`;
  const flags = `--data-parallel-hybrid-lb --data-parallel-size-local ${local} --data-parallel-start-rank ${rank} --data-parallel-address ${deployer.leaderHost(serviceName)} --data-parallel-rpc-port 13445`;
  return injectFlags(container, flags, !leads, 'vllm');
}
