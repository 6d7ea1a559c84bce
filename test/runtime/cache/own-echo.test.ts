import { describe, expect, test } from 'vitest';
import { isOwnEcho } from '../../../lib/runtime/cache/own-echo.ts';

const isEcho = (event: unknown, written: readonly string[] = ['7']): boolean =>
  isOwnEcho(Buffer.from(JSON.stringify(event)), (version) => written.includes(version));

const metadata = {
  annotations: { note: '{"resourceVersion":"5"}' },
  managedFields: [{ fieldsV1: { 'f:metadata': { 'f:resourceVersion': {} } } }],
  name: 'a',
  resourceVersion: '7',
};
const event = { type: 'MODIFIED', object: { kind: 'Service', apiVersion: 'v1', metadata } };

test('an event that shows a written version is recognized, whatever strings quote', () => {
  for (const type of ['ADDED', 'MODIFIED']) expect(isEcho({ ...event, type })).toBe(true);
});

describe('only parsing tells', () => {
  test('a version that nobody wrote', () => {
    expect(isEcho(event, [])).toBe(false);
    expect(isEcho(event, ['5'])).toBe(false);
  });

  test('an event in which a label or a reference is called like the version and says another', () => {
    const labels = { resourceVersion: '7' };
    expect(isEcho({ ...event, object: { metadata: { ...metadata, labels, resourceVersion: '8' } } })).toBe(false);
    expect(isEcho({ ...event, object: { metadata, subject: { resourceVersion: '6' } } })).toBe(false);
    const longer = { 'example.com/resourceVersion': '6' };
    expect(isEcho({ ...event, object: { metadata: { ...metadata, labels: longer } } })).toBe(true);
  });

  test('the end of an object, a bookmark, and what is no event', () => {
    for (const type of ['DELETED', 'BOOKMARK', 'ERROR']) expect(isEcho({ ...event, type })).toBe(false);
    expect(isEcho({ type: 'ADDED', object: { metadata: { name: 'a' } } })).toBe(false);
    expect(isOwnEcho(Buffer.from('{'), () => true)).toBe(false);
  });
});
