import { expect, test } from 'vitest';
import type { Write } from '../../lib/reconcile/index.ts';
import { eventsOf, eventsOfDone, refusalOf, writesOf, type PlannedWrite } from '../../lib/reconcile/plan.ts';

const target = (kind: string, name: string) => ({ apiVersion: 'v1', kind, namespace: 'demo', name });

function planned(verb: 'Create' | 'Update' | 'Delete', kind: string, name: string, chain = ''): PlannedWrite {
  const write: Write =
    verb === 'Delete'
      ? { verb: 'delete', target: target(kind, name), uid: 'u' }
      : { verb: 'create', target: target(kind, name), object: {} };
  return { write, chain, told: { verb, kind, name } };
}

const own = { type: 'Normal', reason: 'AdapterDeleted', message: 'gone' } as const;
const silent: PlannedWrite = { write: { verb: 'delete', target: target('Secret', 's'), uid: 'u' }, chain: 'c: ' };
const steps = [
  [planned('Create', 'Service', 'a'), planned('Create', 'Ingress', 'i')],
  [],
  [planned('Create', 'Service', 'b', 'failed: '), planned('Delete', 'Service', 'c'), { ...silent, told: own }, silent],
];

test('events are one for each verb and kind, in the order of the writes', () => {
  expect(eventsOf(steps)).toEqual([
    { type: 'Normal', reason: 'CreateService', message: 'Created Service a, b' },
    { type: 'Normal', reason: 'CreateIngress', message: 'Created Ingress i' },
    { type: 'Normal', reason: 'DeleteService', message: 'Deleted Service c' },
    own,
  ]);
  expect(eventsOf([[planned('Update', 'Service', 'a')]])[0]?.message).toBe('Updated Service a');
  expect(
    eventsOf([
      [
        { ...silent, told: own },
        { ...silent, told: own },
      ],
    ]),
  ).toEqual([own]);
  const other = { ...own, message: 'gone too' };
  expect(eventsOf([[{ ...silent, told: own }], [{ ...silent, told: other }]])).toEqual([own, other]);
});

test('a pass that ended early tells what was done', () => {
  const decision = { ...writesOf(steps), events: [] };
  const done = new Set([steps[0]?.[0], steps[2]?.[1]].flatMap((one) => (one === undefined ? [] : [one.write])));
  expect(eventsOfDone(decision, done).map(({ message }) => message)).toEqual(['Created Service a', 'Deleted Service c']);
  expect(eventsOfDone({ steps: decision.steps, events: [] }, done)).toEqual([]);
});

test('steps without writes are left out', () => {
  expect(writesOf(steps).steps.map((step) => step.length)).toEqual([2, 4]);
  expect(writesOf(steps).told[1]?.at(-1)).toBeUndefined();
});

test('a refused write is found again, with what was done before it', () => {
  const refused = {
    verb: 'create',
    target: target('Service', 'b'),
    write: 0,
    status: 422,
    reason: 'Invalid',
    message: 'no',
  } as const;
  expect(refusalOf(steps, refused)).toEqual({
    write: steps[2]?.[0]?.write,
    error: 'failed: no',
    events: [
      { type: 'Normal', reason: 'CreateService', message: 'Created Service a' },
      { type: 'Normal', reason: 'CreateIngress', message: 'Created Ingress i' },
      { type: 'Warning', reason: 'CreateService', message: 'Failed to create Service b: no' },
    ],
  });
  for (const other of [
    { verb: 'patch' as const },
    { target: target('Service', 'x') },
    { target: target('Pod', 'b') },
    { target: { ...target('Service', 'b'), namespace: 'other' } },
    { target: { ...target('Service', 'b'), apiVersion: 'v2' } },
  ])
    expect(refusalOf(steps, { ...refused, ...other })).toBeUndefined();
});

test('a refused write that is not told gives no event of its own', () => {
  const refused = {
    verb: 'delete',
    target: target('Secret', 's'),
    write: 0,
    status: 403,
    reason: 'Forbidden',
    message: 'no',
  } as const;
  expect(refusalOf([[silent]], refused)).toEqual({ write: silent.write, error: 'c: no', events: [] });
  expect(refusalOf([[{ ...silent, told: own }]], refused)?.events).toEqual([]);
  const copy: PlannedWrite = {
    write: { verb: 'copySecret', target: target('Secret', 's'), source: target('Secret', 't') },
    chain: 'copy: ',
  };
  expect(refusalOf([[copy]], { ...refused, verb: 'create' })?.error).toBe('copy: no');
});
