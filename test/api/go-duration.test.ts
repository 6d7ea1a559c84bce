import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../lib/api/go-duration.ts';

// What Go's time package makes of each text.
test.each([
  ['0', '0s'],
  ['5s', '5s'],
  ['90s', '1m30s'],
  ['150ms', '150ms'],
  ['1050ms', '1.05s'],
  ['1001us', '1.001ms'],
  ['1h30m', '1h30m0s'],
  ['1.5h', '1h30m0s'],
  ['.5s', '500ms'],
  ['1us', '1µs'],
  ['999ns', '999ns'],
  ['-1.5h', '-1h30m0s'],
  ['4h', '4h0m0s'],
  ['15m', '15m0s'],
  ['100000h', '100000h0m0s'],
  ['1d', undefined],
  ['5', undefined],
  ['', undefined],
  ['1h 2m', undefined],
  ['x', undefined],
  ['-1m', '-1m0s'],
  ['2562047h47m16.854775807s', '2562047h47m16.854775807s'],
  ['2562047h47m16.854775808s', undefined],
  ['-2562047h47m16.854775808s', '-2562047h47m16.854775808s'],
])('writes the duration %j as Go does: %j', (text, written) => {
  const parsed = parseDuration(text);
  expect(parsed === undefined ? undefined : formatDuration(parsed)).toBe(written);
});
