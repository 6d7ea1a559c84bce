import type { Volume } from '../../api/index.ts';
import type { OperatorConfig } from '../render-context.ts';
import type { Framework } from '../framework.ts';
import { compilationCachePath } from '../pod/volumes.ts';
import type { PodRequest, RenderedContainer } from '../pod/types.ts';
import { configureSglang } from './sglang.ts';
import { configureTrtllm, sshVolume } from './trtllm.ts';
import { configureVllm } from './vllm.ts';

/** Changes that an engine makes to the pod. */
interface Engine {
  /** Changes the main container of a multinode replica. */
  readonly configureMultinode?: (container: RenderedContainer, request: PodRequest, config: OperatorConfig) => RenderedContainer;
  /** Additional volumes of a multinode replica. */
  readonly volumes?: (config: OperatorConfig) => readonly Volume[];
  /** Changes the main container of every replica. */
  readonly configure?: (container: RenderedContainer, request: PodRequest) => RenderedContainer;
}

const engines: Readonly<Record<Framework, Engine>> = {
  vllm: { configureMultinode: configureVllm, configure: withCacheRoot },
  sglang: { configureMultinode: configureSglang },
  trtllm: {
    configureMultinode: (container, request, config) => configureTrtllm(container, request, config.mpiSecretName),
    volumes: (config) => [sshVolume(config.mpiSecretName)],
  },
  noop: {},
};

/** The main container with the changes of its engine. */
export function engineContainer(container: RenderedContainer, request: PodRequest, config: OperatorConfig): RenderedContainer {
  const engine = engines[request.framework];
  const multinode =
    request.nodes > 1 && engine.configureMultinode ? engine.configureMultinode(container, request, config) : container;
  return engine.configure ? engine.configure(multinode, request) : multinode;
}

/** The volumes that the engine adds to a pod. */
export function engineVolumes(request: PodRequest, config: OperatorConfig): readonly Volume[] {
  return request.nodes > 1 ? (engines[request.framework].volumes?.(config) ?? []) : [];
}

function withCacheRoot(container: RenderedContainer, { component }: PodRequest): RenderedContainer {
  const path = compilationCachePath(component);
  return path === undefined
    ? container
    : { ...container, env: [...(container.env ?? []), { name: 'VLLM_CACHE_ROOT', value: path }] };
}
