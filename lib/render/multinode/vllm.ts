import { atoi } from './atoi.ts';
import { withArgs, withoutProbes, injectFlags } from './inject.ts';
import type { PodRequest, RenderedContainer } from '../pod/types.ts';

/** Multinode vLLM: one engine that spans the nodes with Ray, or several engines with data parallelism. */
export function configureVllm(container: RenderedContainer, request: PodRequest): RenderedContainer {
  const launched = launch(container, request);
  return request.role === 'worker' ? withoutProbes(launched) : launched;
}

function launch(container: RenderedContainer, request: PodRequest): RenderedContainer {
  const plan = vllmPlan(container.args ?? [], request.component.resources?.limits?.gpu);
  if (plan.launch === 'none') return container;
  return plan.launch === 'ray' ? launchRay(container, request) : launchDataParallel(container, request, plan);
}

/** How vLLM is started on several nodes; depends on its flags and the GPUs per node. */
interface VllmPlan {
  readonly launch: 'none' | 'ray' | 'data-parallel';
  /** GPUs of one engine. */
  readonly engineSize: number;
  readonly dataParallel: number;
  readonly gpus: number;
}

/** Decides from the flags in args how vLLM is started. The original operator ignores `--flag=value`: the value must be a separate argument. */
export function vllmPlan(args: readonly string[], gpu: string | undefined): VllmPlan {
  const tokens = args.flatMap((arg) => arg.split(/\s+/).filter((token) => token !== ''));
  const gpus = atoi(gpu) ?? 0;
  const engineSize = flag(tokens, '--tensor-parallel-size') * flag(tokens, '--pipeline-parallel-size');
  const dataParallel = flag(tokens, '--data-parallel-size');
  const launch = gpus === 0 ? 'none' : engineSize > gpus ? 'ray' : engineSize * dataParallel > gpus ? 'data-parallel' : 'none';
  return { launch, engineSize, dataParallel, gpus };
}

function flag(tokens: readonly string[], name: string): number {
  for (const [index, token] of tokens.entries()) {
    const value = token === name ? atoi(tokens[index + 1]) : undefined;
    if (value !== undefined) return value;
  }
  return 1;
}

function launchRay(container: RenderedContainer, { role, deployer, serviceName }: PodRequest): RenderedContainer {
  const shell = ['/bin/sh', '-c'];
  const { command = [], args = [] } = container;
  const argsByRole = {
    leader: [`ray start --head --port=6379 && ${command.join(' ')} ${args.join(' ')} --distributed-executor-backend ray`],
    worker: [`ray start --address=${deployer.leaderHost(serviceName)}:6379 --block`],
    main: args,
  };
  return withArgs(container, shell, argsByRole[role]);
}

function launchDataParallel(container: RenderedContainer, request: PodRequest, plan: VllmPlan): RenderedContainer {
  const { role, deployer, serviceName } = request;
  if (role === 'main') return injectFlags(container, '', false, 'vllm');
  const local = Math.floor(plan.gpus / plan.engineSize);
  const isLeader = role === 'leader';
  const rank = isLeader ? '0' : `$(( ${local} * ${deployer.workerRank} ))`;
  const flags = `--data-parallel-hybrid-lb --data-parallel-size-local ${local} --data-parallel-start-rank ${rank} --data-parallel-address ${deployer.leaderHost(serviceName)} --data-parallel-rpc-port 13445`;
  return injectFlags(container, flags, !isLeader, 'vllm');
}
