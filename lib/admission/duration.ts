const units: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };
const part = /([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Whether Go reads a text as a duration: numbers with units such as `1h30m` or `5s`, or a bare `0`. */
export function isDuration(text: string): boolean {
  const body = text.replace(/^[-+]/, '');
  if (body === '0') return true;
  let nanoseconds = 0;
  let at = 0;
  for (part.lastIndex = 0; at < body.length; at = part.lastIndex) {
    const match = part.exec(body);
    if (!match) return false;
    nanoseconds += Number(match[1]) * (units[match[2] ?? ''] ?? 0);
  }
  return at > 0 && nanoseconds < 2 ** 63;
}
