import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameDecoder } from '../../../lib/runtime/api/frames.ts';

function decode(chunks: readonly Buffer[]): { readonly frames: readonly string[]; readonly isCut: boolean } {
  const frames: string[] = [];
  const decoder = new FrameDecoder((frame) => frames.push(frame.toString()));
  for (const chunk of chunks) decoder.push(chunk);
  return { frames, isCut: decoder.isCut };
}

function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

test('gives the same lines wherever the bytes are cut, also inside a character', () => {
  const line = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => JSON.stringify(text));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 12 }), (lines, places) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      expect(decode(cut(bytes, places))).toEqual({ frames: lines.map((text) => Buffer.from(text).toString()), isCut: false });
    }),
  );
});

describe('a stream', () => {
  test('that comes byte by byte is put together', () => {
    const bytes = Buffer.from('{"name":"Gr\u00fc\u00dfe \u{1f600}"}\n');
    expect(decode([...bytes].map((byte) => Buffer.from([byte]))).frames).toEqual(['{"name":"Gr\u00fc\u00dfe \u{1f600}"}']);
  });

  test('that stops inside a line says so and gives nothing of it', () => {
    expect(decode([Buffer.from('{"a":1}\n{"b"')])).toEqual({ frames: ['{"a":1}'], isCut: true });
  });

  test('may hold empty lines', () => {
    expect(decode([Buffer.from('\n\n{"a":1}\n\n')])).toEqual({ frames: ['{"a":1}'], isCut: false });
  });

  test('with a huge object is put together in time that grows with its size', () => {
    const part = Buffer.alloc(1 << 20, 'x');
    const { frames } = decode([...Array.from({ length: 32 }, () => part), Buffer.from('\n')]);
    expect(frames.map((frame) => frame.length)).toEqual([32 << 20]);
  });

  test('fails when a line has no end', () => {
    const part = Buffer.alloc(1 << 20, 'x');
    expect(() => decode(Array.from({ length: 65 }, () => part))).toThrow(/a line of the watch is longer than/);
  });
});
