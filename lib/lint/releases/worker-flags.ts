import type { SpanTable } from '../../api/index.ts';

/** Flags that Dynamo workers add to those of their engines, without leading dashes: by module, then by the releases that accept them. */
export const workerFlagSpans: Readonly<Record<string, SpanTable>> = {
  'dynamo.vllm': {
    '0.4.0!0.5.0,0.5.1,0.6.0,0.6.1,0.7.0,0.7.1,0.8.0,0.8.1,0.9.0,0.9.1,0.9-main': 'endpoint',
    '0.4.0..0.6.1': 'dynamo-port-max dynamo-port-min',
    '0.4.0..0.9-main': 'migration-limit',
    '0.4.0..1.3.1': 'is-prefill-worker',
    '0.4.1': 'version',
    '0.5.0': 'connector dyn-reasoning-parser dyn-tool-call-parser',
    '0.5.1': 'custom-jinja-template',
    '0.6.0': 'dump-config-to',
    '0.6.1..1.3.1': 'is-decode-worker',
    '0.7.0': 'enable-multimodal mm-prompt-template',
    '0.7.0..0.9-main': 'multimodal-encode-prefill-worker multimodal-processor store-kv',
    '0.7.0..1.3.1': 'multimodal-decode-worker multimodal-encode-worker multimodal-worker',
    '0.8.0': 'dyn-endpoint-types request-plane use-vllm-tokenizer',
    '0.8.0..0.9-main': 'enable-local-indexer',
    '0.9.0': 'event-plane',
    '0.9.0..0.9-main':
      'ec-connector-backend ec-consumer-mode ec-extra-config ec-processor ec-storage-path vllm-native-encoder-worker',
    '0.9-main': 'frontend-decoding',
    '1.0.0': `disaggregation-mode discovery-backend embedding-transfer-mode endpoint-types headless media-output-fs-url
      media-output-http-url model-express-url multimodal-embedding-cache-capacity-gb namespace no-enable-multimodal
      no-frontend-decoding no-headless no-route-to-encoder no-use-vllm-tokenizer output-modalities route-to-encoder`,
    '1.0.0..1.0.2': `default-video-fps no-omni no-omni-enable-cache-dit-summary no-omni-enable-cpu-offload no-omni-enable-layerwise-offload
      no-omni-enforce-eager no-omni-vae-use-slicing no-omni-vae-use-tiling omni omni-boundary-ratio omni-cfg-parallel-size
      omni-diffusion-cache-backend omni-diffusion-cache-config omni-enable-cache-dit-summary omni-enable-cpu-offload
      omni-enable-layerwise-offload omni-enforce-eager omni-flow-shift omni-layerwise-num-gpu-layers omni-ring-degree
      omni-ulysses-degree omni-vae-use-slicing omni-vae-use-tiling sleep-mode-level stage-configs-path`,
    '1.0.0..1.3.1': `durable-kv-events no-durable-kv-events no-is-decode-worker no-is-prefill-worker no-multimodal-decode-worker
      no-multimodal-encode-worker no-multimodal-worker`,
    '1.1.1': `benchmark-decode-batch-granularity benchmark-decode-length-granularity benchmark-mode benchmark-output-path
      benchmark-prefill-granularity benchmark-timeout benchmark-warmup-iterations exclude-tools-when-tool-choice-none
      gms-shadow-mode no-exclude-tools-when-tool-choice-none no-gms-shadow-mode`,
    '1.3.1': `dyn-enable-structural-tag dyn-structural-tag-schema dyn-structural-tag-scope embedding-worker enable-rl
      engine-request-limit health-check-payload multimodal-embedding-cache-publisher no-dyn-enable-structural-tag
      no-embedding-worker no-enable-rl no-multimodal-embedding-cache-publisher`,
    '1.4.1': `benchmark-points-file benchmark-prefill-batch-granularity benchmark-prefill-kv-read-granularity classify-worker
      custom-encoder-class decode-max-batch-size-samples decode-max-kv-read-token-samples dyn-default-thinking-mode fpm-trace
      kv-state-endpoint no-classify-worker no-fpm-trace prefill-max-kv-read-token-samples prefill-max-new-token-samples
      prefix-max-batch-size-samples`,
  },
  'dynamo.vllm.omni': {
    '1.1.1': `boundary-ratio cache-backend cache-config cfg-parallel-size connector custom-jinja-template default-video-fps
      discovery-backend dump-config-to dyn-endpoint-types dyn-reasoning-parser dyn-tool-call-parser enable-cache-dit-summary
      enable-cpu-offload enable-layerwise-offload endpoint endpoint-types enforce-eager event-plane
      exclude-tools-when-tool-choice-none flow-shift hsdp-replicate-size hsdp-shard-size layerwise-num-gpu-layers
      media-output-fs-url media-output-http-url multimodal-embedding-cache-capacity-gb namespace no-enable-cache-dit-summary
      no-enable-cpu-offload no-enable-layerwise-offload no-enforce-eager no-exclude-tools-when-tool-choice-none no-omni-router
      no-use-hsdp no-vae-use-slicing no-vae-use-tiling omni-router output-modalities request-plane ring-degree
      stage-configs-path stage-id tts-max-instructions-length tts-max-new-tokens-max tts-max-new-tokens-min
      tts-ref-audio-max-bytes tts-ref-audio-timeout ulysses-degree use-hsdp vae-patch-parallel-size vae-use-slicing
      vae-use-tiling`,
    '1.1.1..1.3.1': 'durable-kv-events no-durable-kv-events',
    '1.3.1': `dyn-enable-structural-tag dyn-structural-tag-schema dyn-structural-tag-scope engine-request-limit health-check-payload
      multimodal-embedding-cache-publisher no-dyn-enable-structural-tag no-multimodal-embedding-cache-publisher`,
    '1.4.1': `allgather-degree dyn-default-thinking-mode fpm-trace kv-state-endpoint no-fpm-trace no-realtime realtime
      vae-parallel-mode`,
  },
  'dynamo.sglang': {
    '0.4.1': 'endpoint version',
    '0.4.1..0.9-main': 'migration-limit',
    '0.5.0': 'dyn-reasoning-parser dyn-tool-call-parser',
    '0.5.1': 'use-sglang-tokenizer',
    '0.6.0': 'custom-jinja-template dump-config-to embedding-worker',
    '0.6.0..1.0.2': 'multimodal-processor',
    '0.6.0..1.3.1': 'multimodal-encode-worker multimodal-worker',
    '0.7.0..0.9-main': 'config-key store-kv',
    '0.8.0': 'dyn-endpoint-types request-plane',
    '0.8.0..0.9-main': 'enable-local-indexer',
    '0.9.0': 'event-plane',
    '1.0.0': `connector disagg-config disagg-config-key discovery-backend endpoint-types image-diffusion-worker media-output-fs-url
      media-output-http-url multimodal-embedding-cache-capacity-gb namespace no-embedding-worker no-image-diffusion-worker
      no-use-sglang-tokenizer no-video-generation-worker output-modalities video-generation-worker`,
    '1.0.0..1.0.2': 'no-multimodal-processor',
    '1.0.0..1.3.1': 'durable-kv-events no-durable-kv-events no-multimodal-encode-worker no-multimodal-worker',
    '1.1.1': `embedding-transfer-mode enable-rl exclude-tools-when-tool-choice-none no-enable-rl
      no-exclude-tools-when-tool-choice-none`,
    '1.2.1': 'frontend-decoding no-frontend-decoding',
    '1.3.1': `dedicated-mm-encoder dyn-enable-structural-tag dyn-structural-tag-schema dyn-structural-tag-scope enable-multimodal
      engine-request-limit health-check-payload multimodal-embedding-cache-publisher no-dedicated-mm-encoder
      no-dyn-enable-structural-tag no-enable-multimodal no-multimodal-embedding-cache-publisher sglang-trace-level`,
    '1.4.1': 'dyn-default-thinking-mode fpm-trace kv-state-endpoint no-fpm-trace',
  },
  'dynamo.trtllm': {
    '0.4.0': `disaggregation-mode endpoint extra-engine-args kv-block-size model-path publish-events-and-metrics served-model-name
      tensor-parallel-size`,
    '0.4.0..0.6.1': 'disaggregation-strategy next-endpoint',
    '0.4.0..0.9-main': 'migration-limit',
    '0.4.1': `expert-parallel-size free-gpu-memory-fraction gpus-per-node max-batch-size max-beam-width max-num-tokens max-seq-len
      modality pipeline-parallel-size version`,
    '0.5.0': 'allowed-local-media-path dyn-reasoning-parser dyn-tool-call-parser encode-endpoint max-file-size-mb',
    '0.5.0..0.9-main': 'use-nixl-connect',
    '0.5.1': 'override-engine-args',
    '0.6.0': 'custom-jinja-template dump-config-to',
    '0.7.0..0.9-main': 'store-kv',
    '0.8.0': 'dyn-endpoint-types request-plane',
    '0.8.0..0.9-main': 'enable-local-indexer',
    '0.9.0': 'connector event-plane',
    '1.0.0': `attn-backend default-guidance-scale default-height default-num-frames default-num-inference-steps default-width
      disable-torch-compile discovery-backend dit-cfg-size dit-ring-size dit-ulysses-size enable-attention-dp
      enable-cuda-graph enable-fullgraph enable-layerwise-nvtx-marker enable-teacache endpoint-types guided-decoding-backend
      media-output-fs-url media-output-http-url model multimodal-embedding-cache-capacity-gb namespace
      no-disable-torch-compile no-enable-attention-dp no-enable-cuda-graph no-enable-fullgraph no-enable-layerwise-nvtx-marker
      no-enable-teacache no-publish-events-and-metrics no-quant-dynamic no-teacache-use-ret-steps output-modalities quant-algo
      quant-dynamic revision teacache-thresh teacache-use-ret-steps torch-dtype`,
    '1.0.0..1.0.2': 'disable-request-abort no-disable-request-abort torch-compile-mode warmup-steps',
    '1.0.0..1.2.1': `dit-dp-size dit-fsdp-size dit-tp-size enable-async-cpu-offload fuse-qkv no-enable-async-cpu-offload no-fuse-qkv
      skip-components`,
    '1.0.0..1.3.1': 'durable-kv-events no-durable-kv-events',
    '1.1.1': `exclude-tools-when-tool-choice-none frontend-decoding load-format model-loader-extra-config
      no-exclude-tools-when-tool-choice-none no-frontend-decoding no-skip-warmup skip-warmup`,
    '1.2.1': 'default-num-images-per-prompt',
    '1.3.1': `dyn-enable-structural-tag dyn-structural-tag-schema dyn-structural-tag-scope enable-multimodal engine-request-limit
      health-check-payload multimodal-embedding-cache-publisher no-dyn-enable-structural-tag no-enable-multimodal
      no-multimodal-embedding-cache-publisher no-publish-kv-events publish-kv-events`,
    '1.4.1': 'conversation-affinity dyn-default-thinking-mode fpm-trace kv-state-endpoint no-conversation-affinity no-fpm-trace',
  },
  'dynamo.mocker': {
    '0.4.0': 'endpoint extra-engine-args model-name model-path',
    '0.4.1': 'version',
    '0.5.1': `block-size data-parallel-size enable-chunked-prefill enable-prefix-caching max-num-batched-tokens max-num-seqs
      no-enable-chunked-prefill no-enable-prefix-caching num-gpu-blocks-override speedup-ratio startup-time`,
    '0.5.1..1.0.2': 'watermark',
    '0.6.1': 'is-decode-worker is-prefill-worker',
    '0.7.0': 'num-workers',
    '0.7.0..0.9-main': 'store-kv',
    '0.8.0': 'bootstrap-ports planner-profile-data request-plane',
    '0.8.0..0.9-main': 'enable-local-indexer',
    '0.9-main': 'stagger-delay',
    '1.0.0': `disaggregation-mode discovery-backend kv-bytes-per-token kv-cache-dtype kv-transfer-bandwidth reasoning
      zmq-kv-events-ports`,
    '1.0.0..1.3.1': 'durable-kv-events',
    '1.1.1': `aic-attention-dp-size aic-backend-version aic-moe-ep-size aic-moe-tp-size aic-perf-model aic-system aic-tp-size
      decode-speedup-ratio engine-type event-plane preemption-mode sglang-chunked-prefill-size sglang-clip-max-new-tokens
      sglang-max-prefill-tokens sglang-page-size sglang-schedule-conservativeness sglang-schedule-policy zmq-replay-ports`,
    '1.2.1': 'aic-backend',
    '1.3.1': `aic-mtp-seed aic-nextn aic-nextn-accept-rates bandwidth-g1-to-g2-gbps bandwidth-g2-to-g1-gbps bandwidth-g2-to-g3-gbps
      bandwidth-g2-to-g4-gbps bandwidth-g3-to-g2-gbps bandwidth-g4-to-g2-gbps enable-g4-storage free-gpu-memory-fraction
      gpu-memory-utilization kv-transfer-timing-mode mem-fraction-static num-g2-blocks num-g3-blocks offload-batch-size
      response-replay-trace-path trtllm-capacity-scheduler-policy`,
    '1.4.1': 'g1-backend max-model-len',
  },
  'dynamo.tokenspeed': {
    '1.2.1': `connector custom-jinja-template discovery-backend dump-config-to dyn-endpoint-types dyn-reasoning-parser
      dyn-tool-call-parser endpoint endpoint-types event-plane exclude-tools-when-tool-choice-none media-output-fs-url
      media-output-http-url multimodal-embedding-cache-capacity-gb namespace no-exclude-tools-when-tool-choice-none
      output-modalities request-plane`,
    '1.2.1..1.3.1': 'durable-kv-events no-durable-kv-events',
    '1.3.1': `dyn-enable-structural-tag dyn-structural-tag-schema dyn-structural-tag-scope engine-request-limit health-check-payload
      multimodal-embedding-cache-publisher no-dyn-enable-structural-tag no-multimodal-embedding-cache-publisher`,
    '1.4.1': 'dyn-default-thinking-mode fpm-trace kv-state-endpoint no-fpm-trace',
  },
};
