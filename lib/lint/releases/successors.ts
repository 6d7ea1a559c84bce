/** Replacements for flags and modules that a release does not have. */
import { findString } from '../../json/index.ts';

/** Keyed by module and flag. */
const flagSuccessors: Readonly<Record<string, string>> = {
  'dynamo.vllm --is-prefill-worker': '--disaggregation-mode prefill',
  'dynamo.vllm --is-decode-worker': '--disaggregation-mode decode',
  'dynamo.vllm --disaggregation-mode': '--is-prefill-worker or --is-decode-worker',
  'dynamo.mocker --disaggregation-mode': '--is-prefill-worker or --is-decode-worker',
  'dynamo.vllm --migration-limit': '--migration-limit on the frontend',
  'dynamo.sglang --migration-limit': '--migration-limit on the frontend',
  'dynamo.trtllm --migration-limit': '--migration-limit on the frontend',
  'dynamo.frontend --migration-limit': '--migration-limit on the workers',
  'dynamo.frontend --router-kv-events': '--kv-events',
  'dynamo.frontend --no-router-kv-events': '--no-kv-events',
  'dynamo.frontend --router-kv-overlap-score-weight': '--kv-overlap-score-weight',
  'dynamo.frontend --router-track-output-blocks': '--track-output-blocks',
  'dynamo.frontend --no-router-track-active-blocks': '--no-track-active-blocks',
  'dynamo.frontend --router-ttl-secs': '--router-ttl',
  'dynamo.frontend --router-ttl': '--router-ttl-secs',
  'dynamo.frontend --discovery-backend': '--store-kv',
  'dynamo.frontend --store-kv': '--discovery-backend',
  'dynamo.frontend --decode-fallback': 'the opposite flag --enforce-disagg',
  'dynamo.frontend --busy-threshold': '--active-decode-blocks-threshold',
  'dynamo.router --router-block-size': '--block-size',
};

const moduleSuccessors: Readonly<Record<string, string>> = {
  'dynamo.planner': 'planner_sla in /workspace/components/src/dynamo/planner',
  'dynamo.planner.planner_sla': 'dynamo.planner --config',
  'dynamo.sglang.worker': 'dynamo.sglang',
  'dynamo.sglang.decode_worker': 'dynamo.sglang --disaggregation-mode decode',
  'dynamo.vllm_prefill_router': 'dynamo.router',
};

/** The replacement for a flag. */
export function flagSuccessor(module: string, flag: string): string | undefined {
  return flagSuccessors[`${module} ${flag}`];
}

/** The replacement for a module. */
export function moduleSuccessor(module: string): string | undefined {
  return findString(moduleSuccessors, module);
}
