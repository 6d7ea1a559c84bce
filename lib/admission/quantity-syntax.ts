import type { Json } from '../json/index.ts';

const quantity = /^[-+]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[KMGTPE]i|[numkMGTPE]|[eE]([-+]?[0-9]+))?$/;
const int64Limit = 2n ** 63n;

/** Whether `resource.ParseQuantity` accepts a value; unlike the pattern in the schema it rejects a fractional exponent such as `1e1.5`. */
export function isQuantity(value: Json): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return true;
  if (typeof value !== 'string') return false;
  const match = quantity.exec(value);
  if (!match) return false;
  if (match[2] === undefined) return true;
  const exponent = BigInt(match[2].replace('+', ''));
  return exponent >= -int64Limit && exponent < int64Limit;
}

/** Whether a quantity is absent or zero in any notation: `0`, `"0"`, `0Gi`, `0.0e3`. */
export function isZeroQuantity(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return !/[1-9]/.test(quantity.exec(value)?.[1] ?? '0');
  return Number(value) === 0;
}
