import { fitsInt64 } from './integer.ts';

import { trimEndOf } from '../json/index.ts';

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Parses a duration such as `1h30m` or `1.5s` to nanoseconds as `time.ParseDuration` does; undefined if the string is invalid or out of range. */
export function parseDuration(duration: string): bigint | undefined {
  const match = /^([+-]?)(.+)$/s.exec(duration);
  if (match === null) return undefined;
  const [, sign, body = ''] = match;
  if (body === '0') return 0n;
  let rest = body;
  let total = 0n;
  while (rest !== '') {
    const part = /^([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)/.exec(rest);
    if (part === null) return undefined;
    const [all, whole = '', fraction = '', unit = ''] = part;
    if (whole === '' && fraction === '') return undefined;
    const size = units[unit] ?? 0n;
    total += BigInt(whole || '0') * size + (fraction === '' ? 0n : (BigInt(fraction) * size) / 10n ** BigInt(fraction.length));
    rest = rest.slice(all.length);
  }
  const nanoseconds = sign === '-' ? -total : total;
  return fitsInt64(nanoseconds) ? nanoseconds : undefined;
}

/** Formats a duration as `time.Duration.String` does: `15m0s`, `1m30s`, `150ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  for (const [unit, size, limit] of [
    ['ns', 1n, 1_000n],
    ['µs', 1_000n, 1_000_000n],
    ['ms', 1_000_000n, 1_000_000_000n],
  ] as const)
    if (nanoseconds < limit) return `${decimal(nanoseconds, size)}${unit}`;
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${minutes}m${seconds}` : `${hours}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const rest = value % unit;
  if (rest === 0n) return `${value / unit}`;
  const digits = trimEndOf(`${rest}`.padStart(`${unit}`.length - 1, '0'), '0');
  return `${value / unit}.${digits}`;
}
