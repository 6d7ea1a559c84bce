/** A parsed amount: `unscaled * 10^exponent`, and the family of suffixes it was written in. */
interface Amount {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly family: 'decimal' | 'binary' | 'exponent';
}

/** Why a text is no quantity, in the words of Kubernetes. */
export type QuantityProblem = { readonly problem: string };

const decimalSuffixes = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const decimalNames = new Map([...decimalSuffixes].map(([name, exponent]) => [exponent, name]));
const binarySuffixes = new Map([
  ['Ki', 10n],
  ['Mi', 20n],
  ['Gi', 30n],
  ['Ti', 40n],
  ['Pi', 50n],
  ['Ei', 60n],
]);
const binaryNames = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";
const wrongNumber = 'unable to parse numeric part of quantity';

const largest = 2n ** 63n - 1n;

/** An amount in the form Kubernetes writes it: the largest suffix of its family that leaves an integer. */
export function canonicalQuantity(text: string): string | QuantityProblem {
  if (/^[1-9][0-9]{0,2}([kMGTPE]|Ki|Mi|Gi|Ti|Pi)?$/.test(text)) return text;
  const amount = parse(text);
  return 'problem' in amount ? amount : format(amount);
}

function parse(text: string): Amount | QuantityProblem {
  if (text === '') return { problem: wrongFormat };
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text);
  if (match === null) return { problem: wrongFormat };
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const unscaled = BigInt(
    `${sign === '-' ? '-' : ''}${whole}${fraction}` === '-' ? '0' : `${sign === '-' ? '-' : ''}${whole}${fraction}` || '0',
  );
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined) return rounded({ unscaled, exponent: decimal - fraction.length, family: 'decimal' });
  const binary = binarySuffixes.get(suffix);
  if (binary !== undefined) return rounded({ unscaled: unscaled << binary, exponent: -fraction.length, family: 'binary' });
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) return { problem: wrongSuffix };
  const exponent = Number(suffix.slice(1));
  if (exponent > 1000 || exponent < -1000) return { problem: wrongNumber };
  return rounded({ unscaled, exponent: exponent - fraction.length, family: 'exponent' });
}

/** Nothing is finer than a nano and no binary amount exceeds 64 bits; what is finer is rounded away from zero. */
function rounded(amount: Amount): Amount {
  let { unscaled, exponent } = amount;
  if (exponent < -9) {
    const unit = 10n ** BigInt(-9 - exponent);
    const rest = unscaled % unit;
    unscaled = unscaled / unit + (rest === 0n ? 0n : rest > 0n ? 1n : -1n);
    exponent = -9;
  }
  if (amount.family === 'binary' && exponent === 0 && (unscaled > largest || unscaled < -largest))
    unscaled = unscaled > 0n ? largest : -largest;
  return { unscaled, exponent, family: amount.family };
}

function format(amount: Amount): string {
  if (amount.unscaled === 0n) return '0';
  if (amount.family === 'binary') {
    const whole = asInteger(amount);
    if (whole !== undefined && (whole >= 1024n || whole <= -1024n)) {
      let value = whole;
      let step = 0;
      while (value % 1024n === 0n && step < binaryNames.length - 1) {
        value /= 1024n;
        step++;
      }
      return `${value}${binaryNames[step]}`;
    }
  }
  let { unscaled, exponent } = amount;
  while (unscaled % 10n === 0n) {
    unscaled /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    unscaled *= 10n;
    exponent--;
  }
  if (amount.family === 'exponent') return exponent === 0 ? `${unscaled}` : `${unscaled}e${exponent}`;
  return `${unscaled}${decimalNames.get(exponent) ?? `e${exponent}`}`;
}

function asInteger({ unscaled, exponent }: Amount): bigint | undefined {
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return unscaled % unit === 0n ? unscaled / unit : undefined;
}
