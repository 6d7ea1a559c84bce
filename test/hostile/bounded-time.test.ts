import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readManifests } from '../../lib/manifest/index.ts';
import { canonicalQuantity } from '../../lib/render/wire/canonical-quantity.ts';
import { runCommand } from '../command-line.ts';
import { largeInputs } from './large-inputs.ts';

const folder = mkdtempSync(join(tmpdir(), 'bounded-time-'));
afterAll(() => rmSync(folder, { recursive: true }));

const isLong = process.env['LONG'] !== undefined;
/** An ordinary run tries an input that several commands read with the first of them. */
const ordinary = largeInputs.filter(
  (input, index) => input.isLong !== true && largeInputs.findIndex(({ name }) => name === input.name) === index,
);

// The sizes are such that a command which reads its input more than a few times does not end before the test does.
test.each(isLong ? largeInputs : ordinary)('$command.0 comes to an end with $name', async ({ command, text, size }) => {
  writeFileSync(join(folder, 'in.yaml'), text(size));
  const { code } = await runCommand(folder, command);
  expect([0, 1]).toContain(code);
});

// What Kubernetes' parser (kubectl 1.34) makes of each: it keeps an exponent in 32 bits.
test.each([
  ['1e10000000000000000', '10e1874919423'],
  ['1e9007199254740993', '10'],
  ['12e4294967297', '120'],
  ['1e2147483647', '10e2147483646'],
  ['100e2147483647', '100e2147483647'],
  ['1.5e2147483646', '1500e2147483643'],
  ['10000e4294967295', '1e3'],
  ['1e4294967296', '1e4294967296'],
  ['0e10000000000000000', '0'],
  ['1000e-4294967290', '1e9'],
])('the quantity %s is written as %s', (text, written) => {
  expect(canonicalQuantity(text)).toBe(written);
});

test('positions in a JSON list are found in one pass over its text', () => {
  /** Steps of a reader: it looks at every token with a pattern. */
  const steps = (n: number): number => {
    const text = JSON.stringify({
      kind: 'List',
      items: Array.from({ length: n }, (_, i) => ({ name: `x${i}`, a: { b: [1, i] } })),
    });
    const count = vi.spyOn(RegExp.prototype, 'test');
    try {
      const { documents } = readManifests(text, 'f');
      for (const document of documents) document.position(['a', 'b', 1]);
      expect(documents).toHaveLength(n);
      return count.mock.calls.length;
    } finally {
      count.mockRestore();
    }
  };
  expect(steps(400)).toBeLessThan(2.1 * steps(200));
});
