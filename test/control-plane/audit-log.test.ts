import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AuditEvent, AuditLog, describeCall } from './audit-log.ts';

const event = (auditID: string, stage: AuditEvent['stage'], more: Partial<AuditEvent> = {}): AuditEvent => ({
  auditID,
  stage,
  verb: 'create',
  requestURI: '/api/v1/namespaces/here/configmaps',
  user: { username: 'alice' },
  objectRef: { resource: 'configmaps', namespace: 'here', apiVersion: 'v1' },
  requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
  ...more,
});

const lines = (...events: readonly AuditEvent[]): string => events.map((one) => `${JSON.stringify(one)}\n`).join('');

async function logOf(content: string): Promise<{ readonly log: AuditLog; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'audit.log');
  await writeFile(path, content);
  return { log: new AuditLog(path), path };
}

const idsOf = (events: readonly AuditEvent[]): readonly string[] => events.map(({ auditID }) => auditID);

test('counts a request once, at its last stage', async () => {
  const { log } = await logOf(
    lines(event('a', 'RequestReceived'), event('a', 'ResponseComplete', { responseStatus: { code: 201 } })),
  );
  expect(await log.calls({ username: 'alice' })).toMatchObject([{ auditID: 'a', responseStatus: { code: 201 } }]);
});

test('waits for the answer of a request under way', async () => {
  const { log, path } = await logOf(lines(event('a', 'RequestReceived')));
  const calls = log.calls({ username: 'alice' });
  await appendFile(path, lines(event('a', 'ResponseComplete')));
  expect(await calls).toMatchObject([{ stage: 'ResponseComplete' }]);
});

test('counts a watch once it runs', async () => {
  const { log } = await logOf(
    lines(event('a', 'RequestReceived', { verb: 'watch' }), event('a', 'ResponseStarted', { verb: 'watch' })),
  );
  expect(await log.calls({ username: 'alice' })).toHaveLength(1);
  expect(await log.writes({ username: 'alice' })).toEqual([]);
});

test('reads whole lines only, whenever it is asked', async () => {
  const first = lines(event('a', 'RequestReceived'), event('a', 'ResponseComplete'));
  const second = lines(event('b', 'RequestReceived'), event('b', 'ResponseComplete'));
  const third = lines(event('c', 'RequestReceived'));
  const { log, path } = await logOf(first + third.slice(0, 10));
  const midLine = await log.now();
  expect(idsOf(await log.calls({ username: 'alice' }))).toEqual(['a']);
  await appendFile(path, third.slice(10) + lines(event('c', 'ResponseComplete')) + second);
  expect(idsOf(await log.calls({ username: 'alice', since: midLine }))).toEqual(['b']);
  expect(idsOf(await log.calls({ username: 'alice' }))).toEqual(['a', 'c', 'b']);
});

test('tells users, namespaces and dry runs apart', async () => {
  const { log } = await logOf(
    lines(
      ...['RequestReceived' as const, 'ResponseComplete' as const].flatMap((stage) => [
        event('mine', stage),
        event('dry', stage, { requestURI: '/api/v1/namespaces/here/configmaps?dryRun=All' }),
        event('other-user', stage, { user: { username: 'bob' } }),
        event('elsewhere', stage, { objectRef: { resource: 'configmaps', namespace: 'there' } }),
      ]),
    ),
  );
  expect(idsOf(await log.writes({ username: 'alice', namespace: 'here' }))).toEqual(['mine']);
  expect(idsOf(await log.calls({ username: 'alice' }))).toEqual(['mine', 'dry', 'elsewhere']);
});

test('describes a request in a few words', () => {
  const objectRef = { resource: 'deployments', subresource: 'status', apiGroup: 'apps', namespace: 'here', name: 'web' };
  expect(describeCall(event('a', 'ResponseComplete', { verb: 'patch', objectRef, responseStatus: { code: 200 } }))).toBe(
    'patch apps/deployments/status here/web -> 200',
  );
});
