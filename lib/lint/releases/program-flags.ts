import type { SpanTable } from '../../api/index.ts';

/** Flags of Dynamo’s programs by module, without their dashes, by the releases that accept them. */
export const programFlagSpans: Readonly<Record<string, SpanTable>> = {
  'dynamo.frontend': {
    '0.4.0': 'http-port interactive kv-cache-block-size kv-overlap-score-weight no-kv-events router-mode router-temperature',
    '0.4.0!0.5.0,0.5.1,0.6.0,0.6.1,0.7.0,0.7.1': 'kv-events',
    '0.4.1': 'http-host metrics-prefix model-name model-path router-replica-sync tls-cert-path tls-key-path version',
    '0.4.1..0.7.1': 'busy-threshold static-endpoint',
    '0.5.0': 'kserve-grpc-server namespace',
    '0.5.0..1.3.1': 'router-reset-states router-snapshot-threshold',
    '0.6.0': 'dump-config-to no-track-active-blocks',
    '0.6.0..0.9-main': 'custom-backend-metrics-endpoint custom-backend-metrics-polling-interval',
    '0.7.0!1.0.0,1.0.2': 'enforce-disagg',
    '0.7.0..0.9-main': 'store-kv',
    '0.8.0': 'active-decode-blocks-threshold active-prefill-tokens-threshold grpc-metrics-port request-plane',
    '0.8.0..0.9-main': 'exp-python-factory',
    '0.8.0..1.0.2': 'router-ttl',
    '0.8.0..1.1.1': 'router-max-tree-size router-prune-target-ratio',
    '0.9.0': 'event-plane no-assume-kv-reuse track-output-blocks',
    '0.9-main': 'active-prefill-tokens-threshold-frac',
    '1.0.0': `assume-kv-reuse discovery-backend dyn-chat-processor dyn-debug-perf dyn-preprocess-workers enable-anthropic-api
      migration-limit namespace-prefix no-dyn-debug-perf no-enable-anthropic-api no-interactive no-kserve-grpc-server
      no-router-assume-kv-reuse no-router-kv-events no-router-replica-sync no-router-track-active-blocks
      no-router-track-output-blocks no-track-output-blocks router-assume-kv-reuse router-event-threads router-kv-events
      router-kv-overlap-score-weight router-queue-threshold router-track-active-blocks router-track-output-blocks
      router-ttl-secs track-active-blocks`,
    '1.0.0..1.0.2': 'decode-fallback no-decode-fallback',
    '1.0.0..1.3.1':
      'durable-kv-events no-durable-kv-events no-router-durable-kv-events no-router-reset-states router-durable-kv-events',
    '1.1.1': `aic-backend aic-backend-version aic-model-path aic-system aic-tp-size enable-streaming-reasoning-dispatch
      enable-streaming-tool-dispatch exclude-tools-when-tool-choice-none migration-max-seq-len
      no-enable-streaming-reasoning-dispatch no-enable-streaming-tool-dispatch no-enforce-disagg
      no-exclude-tools-when-tool-choice-none no-router-track-prefill-tokens no-serve-indexer no-strip-anthropic-preamble
      no-use-remote-indexer reasoning-parser router-min-initial-workers router-prefill-load-model router-queue-policy
      router-track-prefill-tokens serve-indexer strip-anthropic-preamble tokenizer tool-call-parser use-remote-indexer`,
    '1.2.1': `load-aware no-load-aware no-trust-remote-code router-kv-overlap-score-credit router-prefill-load-scale
      shared-cache-multiplier shared-cache-type trust-remote-code`,
    '1.3.1': `admission-control aic-attention-dp-size aic-moe-ep-size aic-moe-tp-size aic-mtp-seed aic-nextn aic-nextn-accept-rates
      router-disk-cache-hit-weight router-host-cache-hit-weight router-kv-overlap-score-credit-decay router-policy-config
      router-predicted-ttl-secs router-session-affinity-ttl-secs`,
    '1.4.1': `chat-template frontend-route-extension router-decode-active-request-weight router-tracking-hash router-tracking-key-file
      router-tracking-key-id`,
  },
  'dynamo.router': {
    '0.6.0':
      'block-size endpoint kv-overlap-score-weight no-kv-events no-track-active-blocks router-replica-sync router-temperature',
    '0.6.0..1.3.1': 'router-reset-states router-snapshot-threshold',
    '0.8.0': 'router-ttl-secs',
    '0.8.0..1.1.1': 'router-max-tree-size router-prune-target-ratio',
    '0.9.0': 'track-output-blocks',
    '1.0.0': `assume-kv-reuse kv-events no-assume-kv-reuse no-router-assume-kv-reuse no-router-kv-events no-router-replica-sync
      no-router-track-active-blocks no-router-track-output-blocks no-track-output-blocks router-assume-kv-reuse
      router-block-size router-event-threads router-kv-events router-kv-overlap-score-weight router-track-active-blocks
      router-track-output-blocks track-active-blocks`,
    '1.0.0..1.3.1':
      'durable-kv-events no-durable-kv-events no-router-durable-kv-events no-router-reset-states router-durable-kv-events',
    '1.1.1': `aic-backend aic-backend-version aic-model-path aic-system aic-tp-size no-router-track-prefill-tokens no-serve-indexer
      no-use-remote-indexer router-prefill-load-model router-queue-policy router-queue-threshold router-track-prefill-tokens
      serve-indexer use-remote-indexer`,
    '1.2.1': `load-aware no-load-aware router-kv-overlap-score-credit router-prefill-load-scale shared-cache-multiplier
      shared-cache-type`,
    '1.3.1': `aic-attention-dp-size aic-moe-ep-size aic-moe-tp-size aic-mtp-seed aic-nextn aic-nextn-accept-rates
      router-disk-cache-hit-weight router-host-cache-hit-weight router-kv-overlap-score-credit-decay router-policy-config
      router-predicted-ttl-secs`,
    '1.4.1': 'router-decode-active-request-weight router-tracking-hash router-tracking-key-file router-tracking-key-id',
  },
  'dynamo.global_router': {
    '0.9-main': 'component-name config default-itl-target default-ttft-target model-name namespace',
    '1.2.1': 'default-itl-target-ms default-ttft-target-ms',
  },
  'dynamo.global_planner': {
    '1.0.0': 'environment managed-namespaces no-operation',
    '1.1.1': 'max-total-gpus',
    '1.2.1': 'intent-cache-ttl-seconds min-total-gpus',
  },
  'dynamo.planner': {
    '1.0.0': 'config',
  },
  'dynamo.planner.planner_sla': {
    '0.4.0..0.5.0': 'isl osl',
    '0.4.0..0.8.1': 'load-prediction-window-size',
    '0.4.0..0.9-main': `adjustment-interval backend decode-engine-num-gpu environment itl load-predictor log-dir max-gpu-budget min-endpoint
      no-operation prefill-engine-num-gpu profile-results-dir ttft`,
    '0.4.1..0.7.1': 'prometheus-port',
    '0.4.1..0.9-main': 'no-correction',
    '0.5.1..0.9-main': 'namespace',
    '0.6.0..0.9-main': 'model-name',
    '0.8.0..0.9-main': 'metric-pulling-prometheus-endpoint metric-reporting-prometheus-port',
    '0.9.0..0.9-main': `kalman-min-points kalman-q-level kalman-q-trend kalman-r load-predictor-log1p load-predictor-warmup-trace
      prophet-window-size`,
    '0.9-main..0.9-main': 'mode',
  },
  'dynamo.profiler': {
    '1.0.0': 'config decode-interpolation-granularity deployment-timeout dry-run output-dir prefill-interpolation-granularity',
  },
};
