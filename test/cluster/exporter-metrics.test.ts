import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { exporters } from '../../lib/platform/monitoring/exporters.ts';
import { findTool, missingTools } from '../../tools/find.ts';
import { freePorts } from '../control-plane/free-ports.ts';

const folder = mkdtempSync(join(tmpdir(), 'exporters-'));
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  rmSync(folder, { recursive: true });
});

/** Starts a server and returns what a page of it says once it answers. */
async function serve(command: string, argv: readonly string[], page: string): Promise<string> {
  children.push(spawn(command, argv, { stdio: 'ignore', cwd: folder }));
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(page).catch(() => undefined);
    if (answer?.ok) return await answer.text();
    await setTimeout(50);
  }
  throw new Error(`${page} did not answer`);
}

/** Names of all numbers in a JSON document, nested names joined as the exporter joins them. */
function numbers(value: unknown, name: string): readonly string[] {
  if (typeof value === 'number') return [name];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbers(inner, `${name}_${key}`));
}

describe.skipIf(missingTools(['etcd', 'nats-server']).length > 0)('metrics of what the platform brings', () => {
  test('a real etcd serves every metric listed for it', async () => {
    const [client = 0, peer = 0] = await freePorts(2);
    const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    const argv = [
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      clients,
      '--advertise-client-urls',
      clients,
      '--listen-peer-urls',
      peers,
      '--initial-advertise-peer-urls',
      peers,
      '--initial-cluster',
      `default=${peers}`,
    ];
    const page = await serve(await findTool('etcd'), argv, `${clients}/metrics`);
    for (const [name, type] of Object.entries(exporters.etcd.metrics)) expect(page).toContain(`# TYPE ${name} ${type}\n`);
  });

  test('a real NATS server has every number that its exporter turns into a metric', async () => {
    const [client = 0, monitor = 0] = await freePorts(2);
    const argv = ['-a', '127.0.0.1', '-p', String(client), '-m', String(monitor), '-js', '-sd', join(folder, 'nats')];
    const page = await serve(await findTool('nats-server'), argv, `http://127.0.0.1:${monitor}/varz`);
    expect(numbers(JSON.parse(page), 'nats_varz')).toEqual(expect.arrayContaining(Object.keys(exporters.nats.metrics)));
  });
});
