const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 0.000001, µs: 0.000001, ns: 0.000000001 };

/** Seconds of a duration as Go writes it (`1h30m`, `45s`), or undefined when it is none. */
export function durationSeconds(duration: string): number | undefined {
  if (duration === '0') return 0;
  if (!/^[-+]?(\d+(\.\d*)?|\.\d+)(h|ms|m|us|µs|ns|s)((\d+(\.\d*)?|\.\d+)(h|ms|m|us|µs|ns|s))*$/.test(duration)) return undefined;
  let seconds = 0;
  for (const [, amount = '0', unit = 's'] of duration.matchAll(/(\d+\.?\d*|\.\d+)(h|ms|m|us|µs|ns|s)/g))
    seconds += Number(amount) * (units[unit] ?? 0);
  return duration.startsWith('-') ? -seconds : seconds;
}
