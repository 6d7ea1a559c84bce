import { expect, test } from 'vitest';
import { Turns } from '../../../lib/runtime/api/turns.ts';
import { settled } from '../driven-clock.ts';

/** Requests whose answers come when the test says so. */
function requests(connections: number) {
  const turns = new Turns(connections);
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

test('lets a status through after eight other requests, however many come', async () => {
  const { sent, send, answer } = requests(1);
  for (let index = 0; index < 20; index += 1) void send(`create-${index}`, false);
  void send('status', true);
  for (let index = 0; index < 7; index += 1) await answer(`create-${index}`);
  expect(sent).not.toContain('status');
  await answer('create-7');
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
