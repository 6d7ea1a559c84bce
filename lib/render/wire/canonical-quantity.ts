import { trimEndOf } from '../../json/index.ts';

/** A parsed quantity: `unscaled * 10^exponent`, and the family of its suffix. */
interface Amount {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly family: 'decimal' | 'binary' | 'exponent';
}

/** Why a string is not a quantity, worded as `resource.ParseQuantity` of k8s.io/apimachinery words it. */
type QuantityProblem = { readonly problem: string };

const decimalNames = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);
const decimalSuffixes = new Map([...decimalNames].map(([exponent, name]) => [name, exponent]));
const binaryNames = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";

const int64 = 2n ** 63n;

/**
 * The canonical form of a quantity: the largest suffix of its family that leaves an integer. The parser of Kubernetes keeps a string that it considers
 * canonical already, and that check is loose: `95.164` and `+5` are returned unchanged.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function canonicalQuantity(value: string): string | QuantityProblem {
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?$/.exec(value);
  if (match === null || value === '') return { problem: wrongFormat };
  const [, sign = '', digits = '', fraction = '', suffix = ''] = match;
  const significant = digits.replace(/^0+/, '');
  const whole = significant === '' ? '0' : significant;
  const unscaled = BigInt(whole + fraction);
  const negative = sign === '-';
  const step = binaryNames.indexOf(suffix);
  if (step > 0) return binary(value, unscaled << BigInt(10 * step), unscaled, fraction.length, whole.length, step, negative);
  const exponent = decimalSuffixes.get(suffix) ?? exponentOf(suffix);
  if (exponent === undefined) return { problem: wrongSuffix };
  const scale = int32(exponent - fraction.length);
  const short = whole.length + fraction.length <= 18 && scale >= -9;
  if (short && scale % 3 === 0 && !(whole + fraction).endsWith('000') && whole[0] !== '0') return value;
  const family = decimalSuffixes.has(suffix) ? 'decimal' : 'exponent';
  return format(rounded({ unscaled: negative ? -unscaled : unscaled, exponent: scale, family }));
}

function exponentOf(suffix: string): number | undefined {
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = BigInt(suffix.slice(1).replace('+', ''));
  return exponent < int64 && exponent >= -int64 ? Number(BigInt.asIntN(32, exponent)) : undefined;
}

/** Wraps a number to an int32, the type of exponents in k8s.io/apimachinery. */
function int32(value: number): number {
  return value | 0;
}

function binary(
  quantity: string,
  bytes: bigint,
  unscaled: bigint,
  places: number,
  digits: number,
  step: number,
  negative: boolean,
): string {
  const short = places === 0 && 15 - digits - Math.floor(3 * step) - 1 >= 0 && bytes < int64;
  if (short && unscaled % 8n !== 0n) return quantity;
  const amount = rounded({ unscaled: bytes, exponent: -places, family: 'binary' });
  const { unscaled: capped, exponent } = !short && exceeds(amount) ? { unscaled: int64 - 1n, exponent: 0 } : amount;
  return format({ unscaled: negative ? -capped : capped, exponent, family: 'binary' });
}

function exceeds({ unscaled, exponent }: Amount): boolean {
  return unscaled > (int64 - 1n) * 10n ** BigInt(-exponent);
}

/** Rounds away from zero to multiples of 10^-9, the finest scale of a quantity. */
function rounded(amount: Amount): Amount {
  const { unscaled, exponent, family } = amount;
  if (exponent >= -9 || unscaled === 0n) return amount;
  const sign = unscaled < 0n ? -1n : 1n;
  const places = -9 - exponent;
  if (places > String(unscaled).length) return { unscaled: sign, exponent: -9, family };
  const unit = 10n ** BigInt(places);
  return { unscaled: unscaled / unit + (unscaled % unit === 0n ? 0n : sign), exponent: -9, family };
}

function format(amount: Amount): string {
  if (amount.unscaled === 0n) return '0';
  if (amount.family === 'binary') {
    const whole = asInteger(amount);
    if (whole !== undefined && (whole >= 1024n || whole <= -1024n)) return formatBinary(whole);
  }
  const digits = trimEndOf(`${amount.unscaled}`, '0');
  const stripped = int32(amount.exponent + `${amount.unscaled}`.length - digits.length);
  // The exponent is lowered to a multiple of three.
  const steps = ((stripped % 3) + 3) % 3;
  const unscaled = digits + '0'.repeat(steps);
  const exponent = int32(stripped - steps);
  if (amount.family === 'exponent') return exponent === 0 ? unscaled : `${unscaled}e${exponent}`;
  return `${unscaled}${decimalNames.get(exponent) ?? ''}`;
}

function formatBinary(whole: bigint): string {
  let value = whole;
  let step = 0;
  while (value % 1024n === 0n && step < binaryNames.length - 1) {
    value /= 1024n;
    step++;
  }
  return `${value}${binaryNames[step]}`;
}

function asInteger({ unscaled, exponent }: Amount): bigint | undefined {
  const unit = 10n ** BigInt(-exponent);
  return unscaled % unit === 0n ? unscaled / unit : undefined;
}
