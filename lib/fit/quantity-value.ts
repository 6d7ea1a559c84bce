import type { Json } from '../json/index.ts';

const scales: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity as a floating-point number, precise enough to compare and add; undefined when the value is not a quantity. */
export function quantityValue(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return undefined;
  const match = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/.exec(value);
  if (!match) return undefined;
  if (match[2] !== undefined) return Number(`${match[1]}${match[2]}`);
  return Number(match[1]) * (scales[match[3] ?? ''] ?? 1);
}

/** Formats a number of bytes with a binary suffix: `80Gi`. */
export function formatBytes(bytes: number): string {
  for (const unit of ['Ti', 'Gi', 'Mi', 'Ki']) {
    const scale = scales[unit] ?? 1;
    if (bytes >= scale) return `${Number((bytes / scale).toFixed(1))}${unit}`;
  }
  return String(bytes);
}
