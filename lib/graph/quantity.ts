import type { Cpu } from 'cdk8s-plus-28';

type Suffix = 'm' | 'k' | 'M' | 'G' | 'T' | 'P' | 'E' | 'Ki' | 'Mi' | 'Gi' | 'Ti' | 'Pi' | 'Ei';

/** An amount of a resource as Kubernetes writes it: `2`, `'500m'`, `'64Gi'`; not `'64GB'`. */
export type Quantity = number | `${number}` | `${number}${Suffix}`;

/** An amount of CPU: cores, thousandths of one such as `'500m'`, or a cdk8s-plus `Cpu`. */
export type CpuAmount = Cpu | number | `${number}` | `${number}m`;

/** Writes an amount of CPU as the API spells it. */
export function renderCpu(cpu: CpuAmount): string {
  return typeof cpu === 'object' ? cpu.amount : String(cpu);
}

const quantity = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/;

/** Whether a text is a quantity that `Quantity` describes. */
export function isQuantity(text: string): text is Quantity & string {
  return quantity.test(text) && text.length < 64;
}

/** Whether a text is an amount of CPU that `CpuAmount` describes. */
export function isCpuAmount(text: string): text is CpuAmount & string {
  return /^\d+(?:\.\d+)?m?$/.test(text);
}
