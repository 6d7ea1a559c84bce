/** One way in which examples mean something else than NVIDIA's manifests of the same name, and why. */
export interface Deviation {
  /** The rule that demands it. */
  readonly rule: string;
  readonly why: string;
  /** Where, in the form in which both are compared: component, then field. */
  readonly where: RegExp;
  /** The examples it is seen in. */
  readonly examples: readonly string[];
}

const disaggregated = (name: string): string => `recipes/${name}`;

/** Every difference in meaning between the examples and NVIDIA's manifests; a test keeps the list complete and free of stale entries. */
export const deviations: readonly Deviation[] = [
  {
    rule: 'DYN-VER-001',
    why: 'images carry the tag of the release instead of a placeholder, an older release or a private build',
    where: /(^|\.)(image|profilerImage|workersImage)$/,
    examples: ['*'],
  },
  {
    rule: 'DYN-ROLE-002',
    why: 'the role of a worker is said once and shows in its type, its finer type and its flag alike',
    where: /\.(type|subType|flags\.--is-decode-worker)$/,
    examples: [
      'backends/sglang/disagg-multinode',
      'backends/trtllm/disagg-multinode',
      'backends/trtllm/disagg-router',
      'backends/vllm/disagg-kvbm',
      'backends/vllm/disagg-kvbm-2p2d',
      'backends/vllm/disagg-kvbm-tp2',
      'backends/vllm/disagg-multinode',
      'backends/vllm/disagg-planner',
      'backends/vllm/disagg-router',
      'basics/kubernetes/distributed-inference-disagg-router',
      'cloud/gke/vllm-disagg',
      'discovery/dgd-kubernetes-backend',
      'hierarchical-planner/vllm-2p1d',
      ...[
        'deepseek-r1/vllm/disagg-hopper-16gpu',
        'llama-3-70b/vllm/disagg-multi-node',
        'llama-3-70b/vllm/disagg-single-node',
      ].map(disaggregated),
      'recipes/qwen3-32b/vllm/disagg-kv-router',
    ],
  },
  {
    rule: 'DYN-ROLE-003',
    why: 'the type `main` gets no probes and no system port; the worker is a `worker`',
    where: /\.type$/,
    examples: ['recipes/gpt-oss-120b/trtllm/agg', 'recipes/qwen3-235b-a22b-fp8/trtllm/agg', 'recipes/qwen3-32b-fp8/trtllm/agg'],
  },
  {
    rule: 'DYN-ROLE-005',
    why: 'a worker that serves whole requests is not named after prefill',
    where: /^VllmPrefillWorker is VllmDecodeWorker$/,
    examples: ['recipes/llama-3-70b/vllm/agg', 'recipes/llama-3-70b/vllm/agg-gaie'],
  },
  {
    rule: 'DYN-REF-002',
    why: 'a claim that is mounted is declared',
    where: /^claims$/,
    examples: ['basics/kubernetes/shared-frontend'],
  },
  {
    rule: 'DYN-REF-003',
    why: 'whoever mounts the cache has HF_HOME there, and whoever has HF_HOME there mounts it',
    where: /\.(env\.HF_HOME|caches)$/,
    examples: [
      'basics/kubernetes/shared-frontend',
      'recipes/qwen3-32b/vllm/agg-round-robin',
      'recipes/qwen3-32b/vllm/disagg-kv-router',
    ],
  },
  {
    rule: 'DYN-REF-006',
    why: 'the planner is told how many GPUs each engine takes',
    where: /^Planner\.flags\.--(prefill|decode)-engine-num-gpu$/,
    examples: ['backends/sglang/disagg-planner', 'backends/trtllm/disagg-planner', 'backends/vllm/disagg-planner'],
  },
  {
    rule: 'DYN-REF-004',
    why: 'the original mounts its configuration over the workspace and then reads a file that the mount hides',
    where: /\.(volumes|mounts|config)$/,
    examples: ['backends/trtllm/agg-with-config'],
  },
  {
    rule: 'DYN-BACK-002',
    why: 'TensorRT-LLM does not know `--disaggregation-strategy`',
    where: /\.flags\.--disaggregation-strategy$/,
    examples: ['recipes/qwen3-235b-a22b-fp8/trtllm/disagg'],
  },
  {
    rule: 'DYN-ROUTE-001',
    why: 'a router that goes by KV cache needs workers that publish theirs',
    where: /\.flags\.--publish-events-and-metrics$/,
    examples: ['recipes/qwen3-235b-a22b-fp8/trtllm/agg', 'recipes/qwen3-235b-a22b-fp8/trtllm/disagg'],
  },
  {
    rule: 'DYN-GPU-002',
    why: 'parallelism, batch size and memory fraction are said once, in the configuration, whose value wins anyway',
    where: /\.flags\.--(tensor-parallel-size|max-batch-size|free-gpu-memory-fraction)$/,
    examples: ['recipes/qwen3-32b-fp8/trtllm/agg', 'recipes/qwen3-32b-fp8/trtllm/disagg'],
  },
  {
    rule: 'DYN-SCHED-002',
    why: 'the anti-affinity names a graph that does not exist and so never holds; it is left out',
    where: /^Frontend\.pod\.affinity/,
    examples: [
      'recipes/gpt-oss-120b/trtllm/agg',
      'recipes/qwen3-235b-a22b-fp8/trtllm/agg',
      'recipes/qwen3-235b-a22b-fp8/trtllm/disagg',
      'recipes/qwen3-32b-fp8/trtllm/agg',
      'recipes/qwen3-32b-fp8/trtllm/disagg',
    ],
  },
  {
    rule: 'DYN-MEM-002',
    why: 'workers with several GPUs get more shared memory than the operator gives by default',
    where: /\.sharedMemory\.size$/,
    examples: [
      'backends/sglang/disagg-multinode',
      'backends/trtllm/disagg-multinode',
      'backends/vllm/disagg-kvbm-tp2',
      'basics/kubernetes/distributed-inference-disagg-router',
      'recipes/qwen3-32b/vllm/agg-round-robin',
      'recipes/qwen3-32b/vllm/disagg-kv-router',
    ],
  },
  {
    rule: 'DYN-SCALE-002',
    why: 'replicas that the planner owns are left out, so that applying the manifest again does not set them back',
    where: /\.replicas$/,
    examples: ['backends/trtllm/disagg-planner', 'backends/vllm/disagg-planner'],
  },
  {
    rule: 'DYN-REF-003',
    why: 'workers load the revision that the cache holds',
    where: /\.flags\.--revision$/,
    examples: ['recipes/qwen3-32b/vllm/agg-round-robin', 'recipes/qwen3-32b/vllm/disagg-kv-router'],
  },
  {
    rule: 'DYN-PROBE-001',
    why: 'a probe without a handler replaces the default one and checks nothing; the handler and the default patience are spelled out',
    where: /\.startup\./,
    examples: ['cloud/gke/vllm-disagg'],
  },
  {
    rule: 'DYN-VER-001',
    why: 'the Dynamo namespace comes from the graph instead of a placeholder; the field `dynamoNamespace` is ignored by the release',
    where: /\.(dynamoNamespace|flags\.--(namespace|endpoint))$|^(data|metadata\.namespace)/,
    examples: ['hierarchical-planner/vllm-2p1d'],
  },
  {
    rule: 'DYN-DGDR-001',
    why: 'the profiler image belongs into the profiling configuration, and settings of AI Configurator say nothing while it is off',
    where: /^spec\.(profilerImage|profilingConfig\.config\.sweep\.aic\w+)$/,
    examples: ['operator/sample-dynamographdeploymentrequest'],
  },
];

/** NVIDIA's manifests that no example stands for, and why. */
export const omitted: Readonly<Record<string, string>> = {
  'operator-sample-dynamographdeployment': 'an empty graph, which admission refuses',
};
