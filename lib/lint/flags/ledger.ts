import type { Engine } from '../component-view.ts';

/** A name that exists only in some releases. */
interface Renamed {
  readonly program: Engine | 'frontend';
  readonly flag: string;
  /** The first release that has it. */
  readonly since?: string;
  /** The first release that no longer has it. */
  readonly removed?: string;
  /** What to write instead. */
  readonly instead: string;
}

/** Flags that came or went between releases. */
export const renamedFlags: readonly Renamed[] = [
  { program: 'vllm', flag: '--is-prefill-worker', removed: '1.4.0', instead: '--disaggregation-mode prefill' },
  { program: 'vllm', flag: '--is-decode-worker', removed: '1.4.0', instead: '--disaggregation-mode decode' },
  { program: 'vllm', flag: '--disaggregation-mode', since: '1.0.0', instead: '--is-prefill-worker or --is-decode-worker' },
  { program: 'mocker', flag: '--disaggregation-mode', since: '1.0.0', instead: '--is-prefill-worker or --is-decode-worker' },
  { program: 'vllm', flag: '--connector', removed: '1.0.0', instead: '--kv-transfer-config' },
  { program: 'vllm', flag: '--migration-limit', removed: '1.0.0', instead: '--migration-limit on the frontend' },
  { program: 'sglang', flag: '--migration-limit', removed: '1.0.0', instead: '--migration-limit on the frontend' },
  { program: 'trtllm', flag: '--migration-limit', removed: '1.0.0', instead: '--migration-limit on the frontend' },
  { program: 'frontend', flag: '--migration-limit', since: '1.0.0', instead: '--migration-limit on the workers' },
  { program: 'frontend', flag: '--router-kv-events', since: '1.0.0', instead: '--kv-events' },
  { program: 'frontend', flag: '--router-kv-overlap-score-weight', since: '1.0.0', instead: '--kv-overlap-score-weight' },
  { program: 'frontend', flag: '--router-track-output-blocks', since: '1.0.0', instead: '--track-output-blocks' },
  { program: 'frontend', flag: '--no-router-track-active-blocks', since: '1.0.0', instead: '--no-track-active-blocks' },
  { program: 'frontend', flag: '--router-ttl-secs', since: '1.0.0', instead: '--router-ttl' },
  { program: 'frontend', flag: '--discovery-backend', since: '1.0.0', instead: '--store-kv' },
  { program: 'frontend', flag: '--decode-fallback', since: '1.0.0', instead: 'the reverse: --enforce-disagg' },
  { program: 'frontend', flag: '--kv-events', removed: '1.0.0', instead: '--router-kv-events' },
  { program: 'frontend', flag: '--no-kv-events', removed: '1.0.0', instead: '--no-router-kv-events' },
  { program: 'frontend', flag: '--kv-overlap-score-weight', removed: '1.0.0', instead: '--router-kv-overlap-score-weight' },
  { program: 'frontend', flag: '--track-output-blocks', removed: '1.0.0', instead: '--router-track-output-blocks' },
  { program: 'frontend', flag: '--no-track-active-blocks', removed: '1.0.0', instead: '--no-router-track-active-blocks' },
  { program: 'frontend', flag: '--router-ttl', removed: '1.0.0', instead: '--router-ttl-secs' },
  { program: 'frontend', flag: '--enforce-disagg', removed: '1.0.0', instead: 'the reverse: --decode-fallback' },
  { program: 'frontend', flag: '--store-kv', removed: '1.0.0', instead: '--discovery-backend' },
];

function order(release: string): readonly number[] {
  return release.split('.').map(Number);
}

/** Whether a release comes before another. */
export function isBefore(a: string, b: string): boolean {
  const [left, right] = [order(a), order(b)];
  for (let i = 0; i < 3; i += 1) if ((left[i] ?? 0) !== (right[i] ?? 0)) return (left[i] ?? 0) < (right[i] ?? 0);
  return false;
}
