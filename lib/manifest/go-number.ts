const int64Limit = 2n ** 63n;
const uint64Limit = 2n ** 64n;

/** Converts an integer as `json.Unmarshal` of k8s.io/apimachinery/pkg/util/json does: to an int64 if it fits, else to a double. */
export function fromInteger(value: bigint): number | bigint {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  return value >= -int64Limit && value < int64Limit ? value : Number(value);
}

/** Converts a double as a JSON round trip in Go does: an integral value that fits in an int64 becomes one. */
export function fromFloat(value: number): number | bigint {
  if (Object.is(value, -0)) return 0;
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 2 ** 63) return value;
  return fromInteger(BigInt(value.toFixed(0) === String(value) ? value : String(value)));
}

const prefixed = /^([-+]?)0(?:[xX]([0-9a-fA-F]+)|[oO]([0-7]+)|[bB]([01]+)|([0-7]+))$/;
const decimal = /^([-+]?)(0|[1-9][0-9]*)$/;

function magnitude(text: string): { readonly negative: boolean; readonly value: bigint } | undefined {
  const plain = decimal.exec(text);
  if (plain) return { negative: plain[1] === '-', value: BigInt(plain[2] ?? '0') };
  const match = prefixed.exec(text);
  if (!match) return undefined;
  const [, sign, hex, octal, binary, oldOctal] = match;
  const digits = hex ? `0x${hex}` : binary ? `0b${binary}` : `0o${octal ?? oldOctal ?? '0'}`;
  return { negative: sign === '-', value: BigInt(digits) };
}

/** Parses an integer as `strconv.ParseInt` and then `strconv.ParseUint` with base 0 do; undefined if both fail. */
export function parseInteger(text: string): bigint | undefined {
  if (text.length > 70 && text.replace(/^[-+]?(0[xXoObB]?)?0*/, '').length > 64) return undefined;
  const parsed = magnitude(text);
  if (!parsed) return undefined;
  const value = parsed.negative ? -parsed.value : parsed.value;
  if (value >= -int64Limit && value < int64Limit) return value;
  return value < uint64Limit && value > 0 && !text.startsWith('+') ? value : undefined;
}

/** Formats a float that is a map key as sigs.k8s.io/yaml does: in single precision, `strconv.FormatFloat(key, 'g', -1, 32)`. */
export function formatFloatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(Math.fround(value))) return value > 0 ? '.inf' : '-.inf';
  const single = Math.fround(value);
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let digits = single.toExponential(8);
  for (let precision = 0; precision < 8; precision++) {
    const shorter = single.toExponential(precision);
    if (Math.fround(Number(shorter)) === single) {
      digits = shorter;
      break;
    }
  }
  const exponent = Number(digits.slice(digits.indexOf('e') + 1));
  if (exponent >= -4 && exponent < 6) return String(Number(digits));
  return digits.replace(/e([-+])(\d)$/, 'e$10$2');
}
