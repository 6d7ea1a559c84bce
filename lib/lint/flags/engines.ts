import { defineFlags, type FlagTable } from './flag-table.ts';

/** Flags of the workers of release 0.9: those of Dynamo and those of the engine. An unknown flag is only a warning, since the tables may lack some. */

const parsers = 'dyn-tool-call-parser dyn-reasoning-parser custom-jinja-template';
const runtime = 'endpoint store-kv request-plane event-plane migration-limit namespace';

const vllm = defineFlags(
  'dynamo.vllm',
  {
    aliases: { '-tp': 'one', '-pp': 'one', '-dp': 'one', '-O': 'one', '-q': 'one' },
    none: `is-prefill-worker is-decode-worker enable-multimodal multimodal-processor multimodal-encode-worker multimodal-worker multimodal-decode-worker
      multimodal-encode-prefill-worker use-vllm-tokenizer enable-local-indexer durable-kv-events ec-processor
      enforce-eager trust-remote-code enable-lora enable-prefix-caching enable-chunked-prefill enable-expert-parallel enable-eplb enable-dbo async-scheduling
      data-parallel-hybrid-lb data-parallel-external-lb disable-log-requests disable-log-stats enable-log-requests skip-tokenizer-init enable-sleep-mode
      disable-custom-all-reduce disable-sliding-window disable-cascade-attn enable-prompt-embeds enable-prompt-tokens-details enable-auto-tool-choice
      allow-deprecated-quantization calculate-kv-scales disable-mm-preprocessor-cache disable-hybrid-kv-cache-manager fully-sharded-loras ray-workers-use-nsight
      show-hidden-metrics-for-version enable-return-routed-experts kv-sharing-fast-prefill interleave-mm-strings skip-mm-profiling language-model-only
      use-tqdm-on-load multi-step-stream-outputs enable-server-load-tracking disable-nccl-for-dp-synchronization enable-mfu-metrics kv-cache-metrics
      cudagraph-metrics async-engine headless api-key-required disable-frontend-multiprocessing enable-reasoning`,
    one: `${parsers} ${runtime} dump-config-to mm-prompt-template sleep-mode-level
      model model-tag runner convert task tokenizer tokenizer-mode revision code-revision tokenizer-revision hf-config-path hf-token hf-overrides dtype seed config-format
      load-format download-dir model-loader-extra-config max-model-len quantization rope-scaling rope-theta max-seq-len-to-capture max-logprobs logprobs-mode
      tensor-parallel-size pipeline-parallel-size decode-context-parallel-size prefill-context-parallel-size data-parallel-size data-parallel-size-local data-parallel-rank
      data-parallel-start-rank data-parallel-address data-parallel-rpc-port data-parallel-backend distributed-executor-backend worker-cls worker-extension-cls
      distributed-timeout-seconds nnodes node-rank master-addr master-port
      all2all-backend expert-placement-strategy eplb-config num-redundant-experts eplb-window-size eplb-step-interval max-parallel-loading-workers dbo-decode-token-threshold dbo-prefill-token-threshold
      ubatch-size cp-kv-cache-interleave-size dcp-kv-cache-interleave-size
      block-size gpu-memory-utilization kv-cache-memory-bytes swap-space cpu-offload-gb cpu-offload-params kv-cache-dtype num-gpu-blocks-override prefix-caching-hash-algo kv-offloading-size kv-offloading-backend
      mamba-cache-dtype mamba-ssm-cache-dtype mamba-block-size mamba-cache-mode
      kv-transfer-config kv-events-config ec-transfer-config speculative-config speculative-model num-speculative-tokens structured-outputs-config guided-decoding-backend observability-config
      max-num-batched-tokens max-num-seqs max-num-partial-prefills max-long-partial-prefills long-prefill-token-threshold scheduling-policy scheduler-cls scheduler-delay-factor stream-interval
      num-lookahead-slots preemption-mode num-scheduler-steps max-lora-rank max-loras max-cpu-loras lora-dtype lora-extra-vocab-size default-mm-loras lora-target-modules
      limit-mm-per-prompt media-io-kwargs mm-processor-kwargs mm-processor-cache-gb mm-processor-cache-type mm-shm-cache-max-object-size-mb mm-encoder-tp-mode mm-encoder-attn-backend video-pruning-rate
      compilation-config cudagraph-capture-sizes max-cudagraph-capture-size attention-backend attention-config kernel-config profiler-config additional-config override-neuron-config override-pooler-config pooler-config
      override-generation-config override-attention-dtype generation-config logits-processor-pattern model-impl optimization-level otlp-traces-endpoint collect-detailed-traces reasoning-parser reasoning-parser-plugin
      tool-call-parser chat-template device safetensors-load-strategy ignore-patterns performance-mode moe-backend weight-transfer-config reasoning-config max-waiting-requests shutdown-timeout`,
    many: 'served-model-name connector allowed-local-media-path allowed-media-domains logits-processors lora-modules',
    optional: 'config',
  },
  { negatable: true, underscores: true },
);

const sglang = defineFlags('dynamo.sglang', {
  none: `trust-remote-code skip-tokenizer-init enable-dp-attention enable-dp-lm-head enable-eplb prefill-round-robin-balance disable-radix-cache disable-cuda-graph disable-cuda-graph-padding
    enable-mixed-chunk enable-torch-compile enable-metrics enable-metrics-for-all-schedulers enable-p2p-check enable-hierarchical-cache enable-deterministic-inference enable-nccl-nvls enable-symm-mem enable-mscclpp
    disable-flashinfer-cutlass-moe-fp4-allgather disable-custom-all-reduce disable-overlap-schedule disable-overlap-cg-plan disable-outlines-disk-cache disable-chunked-prefix-cache disable-shared-experts-fusion disable-fast-image-processor
    enable-two-batch-overlap enable-single-batch-overlap enable-memory-saver enable-weights-cpu-backup enable-lora enable-multimodal enable-cache-report enable-request-time-stats-logging enable-tokenizer-batch-encode enable-return-hidden-states
    enable-double-sparsity enable-nan-detection enable-flashinfer-allreduce-fusion enable-flashinfer-trtllm-moe enable-flashinfer-cutlass-moe enable-ep-moe enable-deepep-moe enable-expert-distribution-metrics enable-custom-logit-processor
    enable-triton-kernel-moe enable-trace enable-return-routed-experts enable-piecewise-cuda-graph enable-aiter-allreduce-fusion enable-lmcache enable-pdmux enable-dynamic-batch-tokenizer enable-layerwise-nvtx-marker enable-attn-tp-input-scattered
    enable-nsa-prefill-context-parallel disable-hybrid-swa-memory disable-tokenizer-batch-decode disable-piecewise-cuda-graph disable-disk-cache
    is-embedding log-requests skip-server-warmup delete-ckpt-after-loading flashinfer-mla-disable-ragged triton-attention-reduce-in-fp32 allow-auto-truncate quantize-and-serve
    tokenizer-worker enable-profile-cuda-graph enable-broadcast-mm-inputs-process keep-mm-feature-on-device embedding-worker
    multimodal-processor multimodal-encode-worker multimodal-worker image-diffusion-worker video-generation-worker dllm-worker use-sglang-tokenizer enable-rl enable-local-indexer weight-loader-disable-mmap encoder-only language-only
    disaggregation-decode-enable-offload-kvcache disaggregation-decode-enable-fake-auto show-time-cost enable-mixed-chunk-prefill enable-hisparse enable-fused-moe-sum-all-reduce enable-fused-qk-norm-rope remote-instance-weight-loader-start-seed-via-transfer-engine`,
  one: `${parsers} ${runtime} dump-config-to config-key
    model-path model tokenizer-path tokenizer-mode tokenizer-worker-num load-format model-loader-extra-config context-length revision model-impl model-checksum
    host port grpc-mode nccl-port dtype quantization quantization-param-path kv-cache-dtype modelopt-quant mem-fraction-static max-running-requests max-queued-requests max-total-tokens chunked-prefill-size prefill-max-requests max-prefill-tokens
    schedule-policy schedule-conservativeness schedule-low-priority-values-first priority-scheduling-preemption-threshold page-size hybrid-kvcache-ratio swa-full-tokens-ratio device
    tp tp-size tensor-parallel-size pp pp-size pipeline-parallel-size pp-max-micro-batch-size pp-async-batch-depth stream-interval random-seed constrained-json-whitespace-pattern watchdog-timeout soft-watchdog-timeout dist-timeout download-dir base-gpu-id gpu-id-step sleep-on-idle
    log-level log-level-http log-requests-level crash-dump-folder show-time-cost-file collect-tokens-histogram-interval decode-log-interval gc-warning-threshold-secs
    api-key served-model-name weight-version chat-template completion-template file-storage-path reasoning-parser tool-call-parser tool-server sampling-defaults
    dp dp-size data-parallel-size load-balance-method load-watch-interval prefill-round-robin dist-init-addr nnodes node-rank json-model-override-args preferred-sampling-params
    max-loras-per-batch max-loaded-loras max-lora-rank lora-backend lora-eviction-policy max-lora-chunk-size attention-backend prefill-attention-backend decode-attention-backend sampling-backend grammar-backend mm-attention-backend nsa-prefill-backend nsa-decode-backend nsa-prefill nsa-decode fp8-gemm-backend fp4-gemm-backend
    speculative-algorithm speculative-draft-model-path speculative-draft-model-revision speculative-num-steps speculative-eagle-topk speculative-num-draft-tokens speculative-accept-threshold-single speculative-accept-threshold-acc speculative-token-map speculative-attention-mode speculative-draft-attention-backend speculative-moe-runner-backend speculative-moe-a2a-backend
    speculative-ngram-min-match-window-size speculative-ngram-max-match-window-size speculative-ngram-branch-length speculative-ngram-capacity
    ep ep-size expert-parallel-size moe-a2a-backend moe-runner-backend moe-dense-tp-size deepep-mode deepep-config ep-num-redundant-experts ep-dispatch-algorithm init-expert-location eplb-algorithm eplb-rebalance-num-iterations eplb-rebalance-layers-per-chunk eplb-min-rebalancing-utilization-threshold
    expert-distribution-recorder-mode expert-distribution-recorder-buffer-size elastic-ep-backend mooncake-ib-device flashinfer-mxfp4-moe-precision moe-data-parallel-size attention-context-parallel-size
    hicache-ratio hicache-size hicache-write-policy hicache-io-backend hicache-mem-layout hicache-storage-backend hicache-storage-prefetch-policy hicache-storage-backend-extra-config radix-eviction-policy kt-weight-path
    cpu-offload-gb offload-group-size offload-num-in-group offload-prefetch-step offload-mode cuda-graph-max-bs piecewise-cuda-graph-max-tokens piecewise-cuda-graph-compiler torch-compile-max-bs num-continuous-decode-steps triton-attention-num-kv-splits triton-attention-split-tile-size tbo-token-distribution-threshold
    torchao-config mamba-ssm-dtype mamba-full-memory-ratio max-mamba-cache-size mamba-scheduler-strategy mamba-track-interval numa-node rl-on-policy-target scheduler-recv-interval mm-max-concurrent-calls mm-per-request-timeout
    disaggregation-mode disaggregation-transfer-backend disaggregation-bootstrap-port disaggregation-decode-tp disaggregation-decode-dp disaggregation-prefill-pp disaggregation-ib-device num-reserved-decode-tokens pdlb-url kv-events-config
    warmups checkpoint-engine-wait-weights-before-ready delete-ckpt mm-process-config custom-weight-loader debug-tensor-dump-output-folder debug-tensor-dump-input-file otlp-traces-endpoint forward-hooks encoder-urls encoder-transfer-backend remote-instance-weight-loader-backend kv-transfer-config`,
  many: 'lora-paths lora-target-modules cuda-graph-bs piecewise-cuda-graph-tokens bucket-time-to-first-token bucket-inter-token-latency bucket-e2e-request-latency prompt-tokens-buckets generation-tokens-buckets tokenizer-metrics-allowed-custom-labels',
  optional: 'config',
});

const trtllm = defineFlags('dynamo.trtllm', {
  none: 'publish-events-and-metrics enable-attention-dp trust-remote-code skip-tokenizer-init enable-local-indexer durable-kv-events enable-iter-perf-stats',
  one: `${parsers} ${runtime} dump-config-to model-path model served-model-name tensor-parallel-size pipeline-parallel-size expert-parallel-size gpus-per-node max-batch-size max-num-tokens max-seq-len max-beam-width
    free-gpu-memory-fraction kv-block-size extra-engine-args override-engine-args disaggregation-mode encode-endpoint modality allowed-local-media-path max-file-size-mb connector guided-decoding-backend`,
});

const mocker = defineFlags('dynamo.mocker', {
  none: 'is-prefill-worker is-decode-worker enable-prefix-caching no-enable-prefix-caching enable-chunked-prefill no-enable-chunked-prefill enable-local-indexer durable-kv-events reasoning',
  one: `${parsers} ${runtime} model-path model model-name extra-engine-args num-gpu-blocks num-gpu-blocks-override block-size max-num-seqs max-num-batched-tokens watermark speedup-ratio data-parallel-size startup-time planner-profile-data
    num-workers stagger-delay bootstrap-ports engine-type dump-config-to zmq-kv-events-ports kv-bytes-per-token kv-transfer-bandwidth kv-cache-dtype preemption-mode`,
});

/** The flag table of every engine. */
export const engineFlags = { vllm, sglang, trtllm, mocker } satisfies Record<string, FlagTable>;
