import type { PodRequest, RenderedContainer } from '../pod/types.ts';
import { injectFlags, withoutProbes } from './inject.ts';

/** SGLang across nodes: every node is told the leader's address, the number of nodes and its own rank. */
export function spreadSglang(container: RenderedContainer, request: PodRequest): RenderedContainer {
  const { deployer, role, nodes, serviceName } = request;
  const leads = role === 'leader';
  const rank = leads ? '0' : deployer.workerRank;
  const flags = `--dist-init-addr ${deployer.leaderHost(serviceName)}:29500 --nnodes ${nodes} --node-rank ${rank}`;
  return injectFlags(role === 'worker' ? withoutProbes(container) : container, flags, !leads, 'sglang');
}
