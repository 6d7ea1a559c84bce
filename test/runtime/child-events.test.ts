import { expect, test } from 'vitest';
import { childEvents } from '../../lib/runtime/events/child-events.ts';

test('tells of one pass once for each verb and kind, naming every child', () => {
  expect(
    childEvents([
      { verb: 'create', kind: 'Service', name: 'a' },
      { verb: 'create', kind: 'Deployment', name: 'a' },
      { verb: 'create', kind: 'Service', name: 'a-p' },
      { verb: 'create', kind: 'Service', name: 'a-d' },
      { verb: 'delete', kind: 'Service', name: 'b' },
      { verb: 'update', kind: 'Service', name: 'c' },
      { verb: 'update', kind: 'Service', name: 'c' },
    ]),
  ).toEqual([
    { type: 'Normal', reason: 'CreateService', message: 'Created Service a, a-p, a-d' },
    { type: 'Normal', reason: 'CreateDeployment', message: 'Created Deployment a' },
    { type: 'Normal', reason: 'DeleteService', message: 'Deleted Service b' },
    { type: 'Normal', reason: 'UpdateService', message: 'Updated Service c' },
  ]);
});

test('says nothing when nothing happened, and why something failed', () => {
  expect(childEvents([])).toEqual([]);
  expect(
    childEvents([
      { verb: 'create', kind: 'Service', name: 'a' },
      { verb: 'create', kind: 'Service', name: 'b', error: 'services "b" is forbidden' },
    ]),
  ).toEqual([
    { type: 'Normal', reason: 'CreateService', message: 'Created Service a' },
    { type: 'Warning', reason: 'CreateService', message: 'Failed to create Service b: services "b" is forbidden' },
  ]);
});
