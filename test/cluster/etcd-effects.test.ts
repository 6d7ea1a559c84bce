/** Deleting keys in a real etcd. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { etcdAccess } from '../../lib/runtime/effects/etcd-access.ts';
import { deleteEtcdKeys } from '../../lib/runtime/effects/etcd-effects.ts';
import { findTool } from '../../tools/find.ts';
import { describeCluster } from '../control-plane/cluster-test.ts';
import { freePorts } from '../control-plane/free-ports.ts';

const open = etcdAccess({});
const encode = (text: string): string => Buffer.from(text).toString('base64');

async function call(address: string, path: string, body: object): Promise<JsonAnswer> {
  const answer = await fetch(`http://${address}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as JsonAnswer;
}

interface JsonAnswer {
  readonly kvs?: readonly { readonly key: string }[];
}

/** An etcd of the test's own. */
async function startEtcd(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-etcd-'));
  const [client = 0, peer = 0] = await freePorts(2);
  const urls = { client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` };
  const etcd = spawn(
    await findTool('etcd'),
    [
      `--data-dir=${folder}`,
      '--unsafe-no-fsync',
      ...['listen-client-urls', 'advertise-client-urls'].map((flag) => `--${flag}=${urls.client}`),
      ...['listen-peer-urls', 'initial-advertise-peer-urls'].map((flag) => `--${flag}=${urls.peer}`),
      `--initial-cluster=default=${urls.peer}`,
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    etcd.kill();
    if (etcd.exitCode === null) await once(etcd, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  const address = `127.0.0.1:${client}`;
  for (;;) {
    if (etcd.exitCode !== null) throw new Error(`etcd ended with ${etcd.exitCode}`);
    const ready = await call(address, 'range', { key: encode('x') }).catch(() => undefined);
    if (ready !== undefined) return address;
    await setTimeout(100);
  }
}

describeCluster('etcd', () => {
  test('loses the key and what is below it, and nothing that merely begins like it', async () => {
    const address = await startEtcd();
    const keys = [
      '/ns/components/worker',
      '/ns/components/worker/a',
      '/ns/components/worker/a/b',
      '/ns/components/worker2/a',
      '/ns/other',
    ];
    for (const key of keys) await call(address, 'put', { key: encode(key), value: encode('x') });
    const effect = { effect: 'etcdDelete', id: 'x', prefix: '/ns/components/worker', timeoutSeconds: 5 } as const;
    expect(await deleteEtcdKeys(effect, address, open, new AbortController().signal)).toEqual({ ok: true });
    const { kvs = [] } = await call(address, 'range', { key: encode('/'), range_end: encode('0') });
    expect(kvs.map(({ key }) => Buffer.from(key, 'base64').toString())).toEqual(['/ns/components/worker2/a', '/ns/other']);
  });
});
