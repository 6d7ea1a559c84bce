import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import type { callWorker } from '../../lib/runtime/effects/call-worker.ts';
import type { deleteEtcdKeys } from '../../lib/runtime/effects/etcd-effects.ts';
import { built } from '../built.ts';

test('the operator bundles the connections of undici, not its fetch, caches and mocks, which take memory in every pod', () => {
  // esbuild names the file of each CommonJS module that it bundles.
  const files = readFileSync(built('manager'), 'utf8').match(/node_modules\/undici\/[\w/.-]+\.js/g) ?? [];
  expect(files).toContain('node_modules/undici/lib/dispatcher/pool.js');
  expect(files).not.toContain('node_modules/undici/index.js');
  expect(files.filter((file) => /\/(?:mock|cache|interceptor)\/|web\/(?:fetch\/index|websocket)/.test(file))).toEqual([]);
});

test('what is bundled of undici calls workers and etcd', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-undici-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const plugin = resolve(import.meta.dirname, '../../scripts/direct-imports.mjs');
  const { directImports } = (await import(plugin)) as { readonly directImports: Plugin };
  await build({
    entryPoints: ['call-worker', 'etcd-effects'].map((name) => `lib/runtime/effects/${name}.ts`),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    plugins: [directImports],
    platform: 'node',
    format: 'cjs',
  });
  const bundled = async <Exports>(name: string): Promise<Exports> => (await import(join(folder, `${name}.cjs`))) as Exports;
  const server = createServer((_, response) => response.end('{}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const { signal } = new AbortController();
  const worker = await bundled<{ readonly callWorker: typeof callWorker }>('call-worker');
  const call = { effect: 'http', id: 'list', method: 'GET', url: `${url}/v1/loras`, timeoutSeconds: 15 } as const;
  expect(await worker.callWorker(call, signal)).toEqual({ ok: true, status: 200, body: '{}' });
  const etcd = await bundled<{ readonly deleteEtcdKeys: typeof deleteEtcdKeys }>('etcd-effects');
  const deletion = { effect: 'etcdDelete', id: 'delete', prefix: '/demo/components/a', timeoutSeconds: 15 } as const;
  const access = { username: '', password: '', caFile: '', certificateFile: '', keyFile: '' };
  expect(await etcd.deleteEtcdKeys(deletion, url, access, signal)).toEqual({ ok: true });
});
