import type { PodRequest, RenderedContainer } from '../pod/types.ts';
import { injectFlags, withoutProbes } from './inject.ts';

/** Multinode SGLang: flags give every node the leader's address, the number of nodes and its own rank. */
export function configureSglang(container: RenderedContainer, request: PodRequest): RenderedContainer {
  const { deployer, role, nodes, serviceName } = request;
  const isLeader = role === 'leader';
  const rank = isLeader ? '0' : deployer.workerRank;
  const flags = `--dist-init-addr ${deployer.leaderHost(serviceName)}:29500 --nnodes ${nodes} --node-rank ${rank}`;
  return injectFlags(role === 'worker' ? withoutProbes(container) : container, flags, !isLeader, 'sglang');
}
