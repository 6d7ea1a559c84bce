import { defineFlags, type FlagTable } from './flag-table.ts';

/** Flags of Dynamo's programs other than workers, in release 0.9. */

const routing = `router-mode kv-cache-block-size kv-overlap-score-weight router-temperature router-snapshot-threshold router-ttl router-max-tree-size router-prune-target-ratio
  active-decode-blocks-threshold active-prefill-tokens-threshold active-prefill-tokens-threshold-frac busy-threshold`;
const switches =
  'no-kv-events kv-events router-reset-states router-replica-sync no-router-replica-sync no-track-active-blocks track-active-blocks no-assume-kv-reuse assume-kv-reuse track-output-blocks enforce-disagg durable-kv-events';

const frontend = defineFlags('dynamo.frontend', {
  aliases: { '-i': 'none' },
  none: `${switches} interactive kserve-grpc-server exp-python-factory enable-anthropic-api`,
  one: `${routing} http-host http-port tls-cert-path tls-key-path namespace namespace-prefix model-name model-path metrics-prefix grpc-metrics-port custom-backend-metrics-endpoint custom-backend-metrics-polling-interval store-kv request-plane event-plane chat-processor dump-config-to migration-limit`,
});

const router = defineFlags('dynamo.router', {
  none: switches,
  one: `${routing} endpoint block-size store-kv request-plane event-plane`,
});
const globalRouter = defineFlags('dynamo.global_router', {
  one: 'config model-name namespace component-name default-ttft-target default-itl-target store-kv request-plane event-plane',
});

const planner = defineFlags('planner_sla', {
  none: 'no-operation no-correction load-adjustment enable-loadbased-scaling',
  one: `environment namespace backend mode model-name log-dir adjustment-interval max-gpu-budget min-endpoint decode-engine-num-gpu prefill-engine-num-gpu profile-results-dir ttft itl load-predictor load-predictor-warmup-trace load-prediction-window-size
    prophet-window-size kalman-q-level kalman-q-trend kalman-r kalman-min-points metric-pulling-prometheus-endpoint metric-reporting-prometheus-port prometheus-port prefill-component-name decode-component-name virtual-connector-endpoint config global-planner-namespace`,
});

/** The flag tables of modules other than engines, by module name. */
export const programFlags: Readonly<Record<string, FlagTable>> = {
  'dynamo.frontend': frontend,
  'dynamo.router': router,
  'dynamo.global_router': globalRouter,
  planner_sla: planner,
  'dynamo.planner.planner_sla': planner,
};
