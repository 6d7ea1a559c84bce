import { expect, test } from 'vitest';
import { createLog, formatTime, messageOf } from '../../lib/runtime/log.ts';
import type { LogOptions } from '../../lib/runtime/options.ts';

const date = new Date('2026-11-16T16:37:33.120Z');

function written(options: Partial<LogOptions>, say: (log: ReturnType<typeof createLog>) => void): readonly string[] {
  const lines: string[] = [];
  say(
    createLog(
      { development: false, timeEncoding: 'rfc3339', ...options },
      { write: (line) => void lines.push(line), date: () => date },
    ),
  );
  return lines;
}

test('writes one JSON object a line with the keys of the original', () => {
  const [line = ''] = written({}, (log) => log.named('setup').info('Discovery backend configured', { backend: 'etcd' }));
  expect(line.endsWith('\n')).toBe(true);
  expect(Object.entries(JSON.parse(line))).toEqual([
    ['level', 'info'],
    ['ts', '2026-11-16T16:37:33Z'],
    ['logger', 'setup'],
    ['msg', 'Discovery backend configured'],
    ['backend', 'etcd'],
  ]);
});

test('adds the fields of a reconcile to every line of its logger', () => {
  const [line = ''] = written({}, (log) => {
    const reconcile = log.with({ controller: 'DynamoModel', namespace: 'a', name: 'b', reconcileID: 'c' });
    reconcile.with({ name: 'd' }).info('Reconciliation done');
  });
  expect(JSON.parse(line)).toMatchObject({ controller: 'DynamoModel', namespace: 'a', name: 'd', reconcileID: 'c' });
});

test('writes an error with its cause and a stack trace', () => {
  const error = new Error('failed to get lease', { cause: new Error('timed out') });
  const [line = ''] = written({}, (log) => log.error('problem running manager', error, { other: new Error('nested') }));
  expect(JSON.parse(line)).toMatchObject({ level: 'error', error: 'failed to get lease: timed out', other: 'nested' });
  expect(JSON.parse(line).stacktrace).toContain('log.test.ts');
  expect(messageOf('a string')).toBe('a string');
});

test('leaves stack traces out where the flag asks for panics only', () => {
  const [line = ''] = written({ stackTraceLevel: 'panic' }, (log) => log.error('x', new Error('y')));
  expect(JSON.parse(line)).not.toHaveProperty('stacktrace');
});

test.each([
  [{}, ['info', 'error']],
  [{ level: 'debug' }, ['debug', 'info', 'error']],
  [{ level: '3' }, ['debug', 'info', 'error']],
  [{ level: 'error' }, ['error']],
  [{ level: 'panic' }, []],
] as const)('logs with %j the levels %j', (options, levels) => {
  const lines = written(options, (log) => {
    log.debug('a');
    log.info('b');
    log.error('c', undefined);
  });
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(levels);
});

test('writes for people with the development preset only, or when told so', () => {
  const say = (log: ReturnType<typeof createLog>): void => log.named('setup').debug('starting manager', { a: 1 });
  const people = '2026-11-16T16:37:33Z\tDEBUG\tsetup\tstarting manager\t{"a":1}\n';
  expect(written({ development: true }, say)).toEqual([people]);
  expect(written({ encoder: 'console', level: 'debug' }, say)).toEqual([people]);
  expect(JSON.parse(written({ development: true, encoder: 'json' }, say)[0] ?? '')).toMatchObject({ level: 'debug' });
});

test.each([
  ['epoch', '1794847053.12'],
  ['millis', '1794847053120'],
  ['nanos', '1794847053120000000'],
  ['iso8601', '"2026-11-16T16:37:33.120Z"'],
  ['rfc3339', '"2026-11-16T16:37:33Z"'],
  ['rfc3339nano', '"2026-11-16T16:37:33.12Z"'],
])('writes times as %s', (encoding, time) => {
  expect(formatTime(date, encoding)).toBe(time);
});
