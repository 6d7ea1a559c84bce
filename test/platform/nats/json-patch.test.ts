import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { applyPatch } from '../../../lib/platform/nats/json-patch.ts';

const patched = (document: JsonObject, ...patch: readonly JsonObject[]) => applyPatch(document, patch, ['nats', 'x']);

test.each<[string, JsonObject, JsonObject, JsonObject]>([
  ['adds a key', { a: 1 }, { op: 'add', path: '/b', value: 2 }, { a: 1, b: 2 }],
  ['adds over a key', { a: 1 }, { op: 'add', path: '/a', value: 2 }, { a: 2 }],
  ['inserts into a list', { a: [1, 3] }, { op: 'add', path: '/a/1', value: 2 }, { a: [1, 2, 3] }],
  ['appends to a list', { a: [1] }, { op: 'add', path: '/a/-', value: 2 }, { a: [1, 2] }],
  ['appends by the length', { a: [1] }, { op: 'add', path: '/a/1', value: 2 }, { a: [1, 2] }],
  ['replaces the whole', { a: 1 }, { op: 'replace', path: '', value: { b: 2 } }, { b: 2 }],
  ['replaces in a list', { a: [1, 2] }, { op: 'replace', path: '/a/0', value: 9 }, { a: [9, 2] }],
  ['replaces a null', { a: null }, { op: 'replace', path: '/a', value: 1 }, { a: 1 }],
  ['removes a key', { a: 1, b: 2 }, { op: 'remove', path: '/a' }, { b: 2 }],
  ['removes from a list', { a: [1, 2, 3] }, { op: 'remove', path: '/a/1' }, { a: [1, 3] }],
  ['copies', { a: { b: 1 } }, { op: 'copy', from: '/a', path: '/c' }, { a: { b: 1 }, c: { b: 1 } }],
  ['moves', { a: { b: 1 } }, { op: 'move', from: '/a/b', path: '/c' }, { a: {}, c: 1 }],
  ['tests', { a: [1, { b: 2 }] }, { op: 'test', path: '/a', value: [1, { b: 2 }] }, { a: [1, { b: 2 }] }],
  ['reads escapes', { 'a/b': 1, 'c~d': 2 }, { op: 'move', from: '/a~1b', path: '/c~0d' }, { 'c~d': 1 }],
])('%s', (_name, document, operation, result) => {
  expect(patched(document, operation)).toEqual({ document: result, issues: [] });
});

test.each<[string, JsonObject]>([
  ['op must be one of', { op: 'merge', path: '/a' }],
  ['op must be one of', { path: '/a' }],
  ['path must be "" or start with /', { op: 'remove', path: 'a' }],
  ['path must be "" or start with /', { op: 'remove' }],
  ['from must be "" or start with /', { op: 'copy', path: '/b' }],
  ['an operation add needs a value', { op: 'add', path: '/b' }],
  ['nothing is at /x to remove', { op: 'remove', path: '/x' }],
  ['nothing is at /x to replace', { op: 'replace', path: '/x', value: 1 }],
  ['nothing is at /x/y to add', { op: 'add', path: '/x/y', value: 1 }],
  ['nothing is at /list/5 to add', { op: 'add', path: '/list/5', value: 1 }],
  ['nothing is at /list/- to remove', { op: 'remove', path: '/list/-' }],
  // Indexes have no leading zeros: https://datatracker.ietf.org/doc/html/rfc6901#section-4
  ['nothing is at /list/00 to add', { op: 'add', path: '/list/00', value: 1 }],
  ['nothing is at /list/00 to remove', { op: 'remove', path: '/list/00' }],
  ['nothing is at /a/b to add', { op: 'add', path: '/a/b', value: 1 }],
  ['nothing is at /x or /y to move', { op: 'move', from: '/x', path: '/y' }],
  ['the test at /a does not hold', { op: 'test', path: '/a', value: 2 }],
])('rejects with "%s"', (message, operation) => {
  const { issues } = patched({ a: 1, list: [1] }, { op: 'add', path: '/fine', value: 1 }, operation);
  expect(issues).toEqual([{ path: ['nats', 'x', 'patch', 1], code: 'bad_patch', message: expect.stringContaining(message) }]);
});

test('never throws and never changes the document it is given', () => {
  const step = fc.constantFrom('', '/a', '/a/0', '/a/-', '/b/c', '/b', 'b', '/~1');
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'copy', 'move', 'test', 'x'),
      path: step,
      from: step,
      value: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 4 }), (patch) => {
      const document = { a: [1, 2], b: { c: 3 } };
      applyPatch(document, patch, []);
      expect(document).toEqual({ a: [1, 2], b: { c: 3 } });
    }),
  );
});
