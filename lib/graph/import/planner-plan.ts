import { Duration } from 'cdk8s';
import type { Json } from '../../api/index.ts';
import { call, literal, type Code } from './code.ts';
import type { Props } from './overrides.ts';

const seconds = (value: string): Code => call('Duration.seconds', (n: number) => Duration.seconds(n), literal(Number(value)));
const millis = (value: string): Code => call('Duration.millis', (n: number) => Duration.millis(n), literal(Number(value)));
const number = (value: string): Code => literal(Number(value));

const flags: Readonly<
  Record<string, { readonly prop: string; readonly code: (value: string) => Code; readonly default?: string }>
> = {
  '--adjustment-interval': { prop: 'adjustmentInterval', code: seconds, default: '60' },
  '--ttft': { prop: 'ttft', code: millis },
  '--itl': { prop: 'itl', code: millis },
  '--max-gpu-budget': { prop: 'maxGpuBudget', code: number },
  '--min-endpoint': { prop: 'minEndpoint', code: number },
};

/** Reads properties from the arguments of a planner; unknown arguments show when the rendered component is compared. */
export function plannerProps(args: readonly Json[]): Props {
  const hasGpus = args.some((a) => typeof a === 'string' && a.startsWith('--prefill-engine-num-gpu='));
  const props: Record<string, Code> = hasGpus ? {} : { tellGpus: literal(false) };
  for (const arg of args) {
    const [flag = '', value = ''] = typeof arg === 'string' ? arg.split('=') : [];
    const known = flags[flag];
    if (known !== undefined && /^\d+$/.test(value) && value !== known.default) props[known.prop] = known.code(value);
  }
  return props;
}
