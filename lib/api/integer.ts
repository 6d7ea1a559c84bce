const epsilon = 1e-9;

/**
 * Whether the API server accepts a JSON number as an integer: every int64, and a fraction whose relative distance to an integer is below 1e-9
 * (`IsFloat64AJSONInteger` of github.com/go-openapi/swag).
 */
export function isInteger(value: number | bigint): boolean {
  if (typeof value === 'bigint') return fitsInt64(value);
  if (Number.isInteger(value)) return Math.abs(value) < 2 ** 63;
  if (!(value > 1) || value > Number.MAX_SAFE_INTEGER) return false;
  const floor = Math.trunc(value);
  return (value - floor) / (value + floor) < epsilon;
}

/** Whether an integer fits in 64 bits; the API server decodes a larger one as a floating-point number. */
export function fitsInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}
