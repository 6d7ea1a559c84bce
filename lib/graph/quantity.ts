import type { Cpu } from 'cdk8s-plus-28';

type Suffix = 'm' | 'k' | 'M' | 'G' | 'T' | 'P' | 'E' | 'Ki' | 'Mi' | 'Gi' | 'Ti' | 'Pi' | 'Ei';

/**
 * A Kubernetes quantity: `2`, `'500m'`, `'64Gi'`, but not `'64GB'`.
 * See https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/.
 */
export type Quantity = number | `${number}` | `${number}${Suffix}`;

/** An amount of CPU: cores, millicores such as `'500m'`, or a cdk8s-plus `Cpu`. */
export type CpuAmount = Cpu | number | `${number}` | `${number}m`;

/** Converts an amount of CPU to API format. */
export function renderCpu(cpu: CpuAmount): string {
  return typeof cpu === 'object' ? cpu.amount : String(cpu);
}

const quantity = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/;

/** Whether a string is a `Quantity`. */
export function isQuantityLiteral(value: string): value is Quantity & string {
  return quantity.test(value) && value.length < 64;
}

/** Whether a string is a `CpuAmount`. */
export function isCpuAmount(value: string): value is CpuAmount & string {
  return /^\d+(?:\.\d+)?m?$/.test(value);
}
