import type { Volume } from '../../api/index.ts';
import type { OperatorConfig } from '../render-context.ts';
import type { Framework } from '../framework.ts';
import { compilationCachePath } from '../pod/volumes.ts';
import type { PodRequest, RenderedContainer } from '../pod/types.ts';
import { spreadSglang } from './sglang.ts';
import { spreadTrtllm, sshVolume } from './trtllm.ts';
import { spreadVllm } from './vllm.ts';

/** What an engine needs beyond the common pod. */
interface Engine {
  /** Rewrites the main container where a replica spans several nodes. */
  readonly spread?: (container: RenderedContainer, request: PodRequest, config: OperatorConfig) => RenderedContainer;
  /** Volumes of such a pod. */
  readonly volumes?: (config: OperatorConfig) => readonly Volume[];
  /** Rewrites the main container always. */
  readonly finish?: (container: RenderedContainer, request: PodRequest) => RenderedContainer;
}

const engines: Readonly<Record<Framework, Engine>> = {
  vllm: { spread: spreadVllm, finish: withCacheRoot },
  sglang: { spread: spreadSglang },
  trtllm: {
    spread: (container, request, config) => spreadTrtllm(container, request, config.mpiSecretName),
    volumes: (config) => [sshVolume(config.mpiSecretName)],
  },
  noop: {},
};

/** The main container as its engine wants it. */
export function engineContainer(container: RenderedContainer, request: PodRequest, config: OperatorConfig): RenderedContainer {
  const engine = engines[request.framework];
  const spread = request.nodes > 1 && engine.spread ? engine.spread(container, request, config) : container;
  return engine.finish ? engine.finish(spread, request) : spread;
}

/** The volumes its engine adds to a pod. */
export function engineVolumes(request: PodRequest, config: OperatorConfig): readonly Volume[] {
  return request.nodes > 1 ? (engines[request.framework].volumes?.(config) ?? []) : [];
}

function withCacheRoot(container: RenderedContainer, { component }: PodRequest): RenderedContainer {
  const path = compilationCachePath(component);
  return path === undefined
    ? container
    : { ...container, env: [...(container.env ?? []), { name: 'VLLM_CACHE_ROOT', value: path }] };
}
