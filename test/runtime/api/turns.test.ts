import { expect, test } from 'vitest';
import { Turns } from '../../../lib/runtime/api/turns.ts';
import { settled } from '../driven-clock.ts';

/** Requests whose answers come when the test says so. */
function requests(connections: number, patience?: number) {
  const turns = new Turns(connections, patience);
  const sent: string[] = [];
  const answers = new Map<string, (failure?: Error) => void>();
  const send = (name: string, yields: boolean, signal?: AbortSignal): Promise<string> =>
    turns.take(
      yields,
      () => {
        sent.push(name);
        return new Promise((resolve, reject) => {
          answers.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure)));
        });
      },
      signal,
    );
  const answer = async (name: string, failure?: Error): Promise<void> => {
    answers.get(name)?.(failure);
    await settled();
  };
  return { sent, send, answer };
}

test('lets a status go at once while a connection is free', async () => {
  const { sent, send } = requests(2);
  void send('create', false);
  void send('status', true);
  await settled();
  expect(sent).toEqual(['create', 'status']);
});

test('sends what others need before a status that came earlier, and the status when a connection is free', async () => {
  const { sent, send, answer } = requests(2);
  for (const name of ['a', 'b']) void send(name, false);
  const refused = expect(send('c', false)).rejects.toThrow('refused');
  const status = send('status', true);
  void send('d', false);
  await settled();
  expect(sent).toEqual(['a', 'b', 'c', 'd']);
  await answer('a');
  await answer('b');
  expect(sent).not.toContain('status');
  await answer('c', new Error('refused'));
  await refused;
  expect(sent).toContain('status');
  await answer('status');
  expect(await status).toBe('status');
});

test('lets those that wait take turns after so many other requests, however many come, until none waits', async () => {
  const { sent, send, answer } = requests(1, 8);
  for (let index = 0; index < 40; index += 1) void send(`create-${index}`, false);
  for (const name of ['status', 'event']) void send(name, true);
  const statuses = (): readonly string[] => sent.slice(40);
  for (let index = 0; index < 7; index += 1) await answer(`create-${index}`);
  expect(statuses()).toEqual([]);
  await answer('create-7');
  expect(statuses()).toEqual(['status']);
  await answer('create-8');
  expect(statuses()).toEqual(['status', 'event']);
  await answer('create-9');
  void send('late', true);
  for (let index = 10; index < 17; index += 1) await answer(`create-${index}`);
  expect(statuses()).toEqual(['status', 'event']);
  await answer('create-17');
  expect(statuses()).toEqual(['status', 'event', 'late']);
});

test('lets two thousand others go first', async () => {
  const { sent, send, answer } = requests(1);
  for (let index = 0; index < 2001; index += 1) void send(`create-${index}`, false);
  void send('status', true);
  for (let index = 0; index < 1999; index += 1) await answer(`create-${index}`);
  expect(sent).not.toContain('status');
  await answer('create-1999');
  expect(sent.at(-1)).toBe('status');
});

test('ends the wait with the reason of the signal, and gives the turn to the next', async () => {
  const { sent, send, answer } = requests(1);
  const stop = new AbortController();
  void send('create', false);
  const first = send('first', true, stop.signal);
  void send('second', true);
  stop.abort(new Error('the manager stops'));
  await expect(first).rejects.toThrow('the manager stops');
  await answer('create');
  expect(sent).toEqual(['create', 'second']);
  await expect(send('late', true, stop.signal)).rejects.toThrow('the manager stops');
});
