import { expect, test } from 'vitest';
import type { Json } from '../../lib/json/index.ts';
import { isEditedSpec } from '../../lib/reconcile/edited-spec.ts';

const ports = [{ name: 'http', port: 80 }];

test.each<[string, boolean, Json, Json]>([
  ['nothing', false, { ports }, { ports }],
  ['what the API server adds', false, { ports }, { ports: [{ name: 'http', port: 80, protocol: 'TCP' }], clusterIP: '10.0.0.1' }],
  ['a value', true, { ports }, { ports: [{ name: 'http', port: 81 }] }],
  ['an item more', true, { ports }, { ports: [...ports, { name: 'more', port: 81 }] }],
  ['an item less', true, { ports }, { ports: [] }],
  ['a list that is gone', true, { ports }, {}],
  ['a label of the selector', true, { selector: { app: 'a' } }, { selector: { app: 'b' } }],
  ['one label more in the selector', true, { selector: { app: 'a' } }, { selector: { app: 'a', more: 'x' } }],
  ['a value that is gone', true, { clusterIP: 'None' }, {}],
  ['an empty string, which is not stored', false, { clusterIP: '' }, {}],
  ['false, which is not stored', false, { publishNotReadyAddresses: false }, {}],
  ['a zero, which is not stored', false, { healthCheckNodePort: 0 }, {}],
  ['null, which is not stored', false, { clusterIP: null }, {}],
  ['an empty string that got a value', true, { externalName: '' }, { externalName: 'example.com' }],
  ['false that became true', true, { publishNotReadyAddresses: false }, { publishNotReadyAddresses: true }],
])('sees whether somebody edited %s: %s', (_, isEdited, desired, live) => {
  expect(isEditedSpec(desired, live)).toBe(isEdited);
});
