/** Events of a pass that ends before all its writes are done: the next pass sees those writes as done and would not report them. */
import type { KubernetesObject } from '../../../lib/api/index.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Decision, Event, Snapshot, Write } from '../../../lib/reconcile/index.ts';
import { reconcilePass } from '../../../lib/runtime/controllers/pass.ts';
import { answeringClient } from '../answering-client.ts';
import { readOptions } from '../../../lib/runtime/options.ts';

type Answer = (name: string, object: unknown, response: ServerResponse) => void;

const stored = (_: string, object: unknown, response: ServerResponse): void => {
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(object));
};
const lost: Answer = (_, __, response) => response.destroy();
const conflict: Answer = (_, __, response) => {
  const status = { kind: 'Status', reason: 'Conflict', code: 409, message: 'changed' };
  response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify(status));
};

const forbidden: Answer = (_, __, response) => {
  const status = { kind: 'Status', reason: 'Forbidden', code: 403, message: 'may not' };
  response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(status));
};

const owner = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', name: 'g', uid: 'u' };
const service = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'n', name, ownerReferences: [owner] },
});

/** Creates Services in two steps, `a` and `b`, then `c`, and answers the creation of one of them in a way of its own. */
async function pass(
  odd: string,
  answer: Answer,
  { live, decideRefused, untold = false }: { live?: KubernetesObject; decideRefused?: Decision; untold?: boolean } = {},
): Promise<{ told: readonly Event[]; ended: unknown }> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const object = JSON.parse((await text(request)) || '{}');
    const name: string = object.metadata?.name ?? '';
    if (odd.split(' ').includes(name)) answer(name, object, response);
    else stored(name, object, response);
  };
  const client = await answeringClient((request, response) => void respond(request, response));
  const create = (name: string): Write => ({
    verb: 'create',
    target: { apiVersion: 'v1', kind: 'Service', namespace: 'n', name },
    object: JSON.parse(JSON.stringify(service(name))),
  });
  const told = (name: string) => ({ verb: 'Create', kind: 'Service', name }) as const;
  const decision: Decision = {
    steps: [[create('a'), create('b')], [create('c')]],
    ...(!untold && { told: [[told('a'), told('b')], [told('c')]] }),
    events: [{ type: 'Normal', reason: 'CreateService', message: 'Created Service a, b, c' }],
  };
  const events: Event[] = [];
  const snapshot: Snapshot = {
    now: '2026-01-01T00:00:00Z',
    config: readOptions(new Map(), {}).config,
    apiGroups: [],
    firstPass: true,
    resource: {},
    objects: {},
    lists: {},
  };
  const ended = await reconcilePass(
    snapshot,
    {
      client,
      creations: new Map(),
      answers: { put: () => {}, has: () => false, remove: () => {}, reread: async () => live ?? null },
      wrote: () => {},
      rest: () => {},
      decide: ({ refused }) => ({ answer: 'decision', decision: (refused && decideRefused) ?? decision }),
      lookUp: () => null,
      runEffects: async () => ({}),
      tell: (all) => void events.push(...all),
    },
    new AbortController().signal,
  ).catch((error: unknown) => error);
  return { told: events, ended };
}

const created = (names: string): readonly Event[] => [
  { type: 'Normal', reason: 'CreateService', message: `Created Service ${names}` },
];

test('tells all at once when all is done', async () => {
  expect(await pass('', stored)).toMatchObject({ told: created('a, b, c'), ended: { lookups: [] } });
});

test('tells what was done when somebody else was faster', async () => {
  expect(await pass('b', conflict)).toEqual({ told: created('a'), ended: { lookups: [], isStale: true } });
  expect(await pass('c', conflict)).toEqual({ told: created('a, b'), ended: { lookups: [], isStale: true } });
});

test('tells what was done when the connection breaks, and fails', async () => {
  expect(await pass('c', lost)).toMatchObject({ told: created('a, b'), ended: { code: 'cut_off' } });
});

test('takes a creation whose answer was lost for done when the object is there and has the same owner', async () => {
  expect((await pass('c', lost, { live: service('c') })).told).toEqual(created('a, b, c'));
  const foreign = { ...service('c'), metadata: { namespace: 'n', name: 'c' } };
  expect(await pass('c', lost, { live: foreign })).toMatchObject({ told: created('a, b'), ended: { code: 'cut_off' } });
});

test('fails with the words of the API server when a write is refused, whatever is decided on that', async () => {
  expect(await pass('c', forbidden)).toMatchObject({ ended: { error: { message: expect.stringContaining('may not') } } });
});

const failed: Event = { type: 'Warning', reason: 'CreateService', message: 'Failed to create Service' };
const status: Write = {
  verb: 'status',
  target: { ...owner, namespace: 'n' },
  object: { ...owner, metadata: { namespace: 'n', name: 'status' } },
};

test('tells what was done beside and before a write that is refused, and the refusal', async () => {
  const decideRefused = { steps: [[status]], events: [failed], error: 'may not' };
  expect((await pass('b', forbidden, { decideRefused })).told).toEqual([...created('a'), failed]);
  // Decisions tell again what was done in the steps before.
  const retold = { ...decideRefused, events: [...created('a, b'), failed] };
  expect((await pass('c', forbidden, { decideRefused: retold })).told).toEqual([...created('a, b'), failed]);
});

test('tells what was done beside a write that is refused also when the status cannot be stored', async () => {
  const refuseB =
    (then: Answer): Answer =>
    (name, object, response) =>
      (name === 'b' ? forbidden : then)(name, object, response);
  const decideRefused = { steps: [[status]], events: [failed], error: 'may not' };
  expect(await pass('b status', refuseB(conflict), { decideRefused })).toEqual({
    told: created('a'),
    ended: { lookups: [], isStale: true },
  });
  expect(await pass('b status', refuseB(lost), { decideRefused })).toMatchObject({
    told: created('a'),
    ended: { code: 'cut_off' },
  });
});

test('tells nothing of a status that is refused as well', async () => {
  const found: Event = { type: 'Warning', reason: 'NoEndpointsFound', message: 'none' };
  const decideRefused = { steps: [[status]], events: [found], error: 'may not' };
  expect((await pass('b', forbidden, { decideRefused, untold: true })).told).toEqual([found]);
  expect(await pass('b status', forbidden, { decideRefused, untold: true })).toMatchObject({
    told: [],
    ended: { error: { message: 'may not' } },
  });
  expect((await pass('b status', forbidden, { decideRefused })).told).toEqual([...created('a'), found]);
});
