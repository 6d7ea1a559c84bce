/**
 * What cluster tests share: the run's control plane, a namespace per test, API groups of other projects.
 *
 * Wrap the tests of a file in `describeCluster`; where there is no control plane they are reported as skipped.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, inject, onTestFinished } from 'vitest';
import { type Client, succeeded } from './client.ts';
import { Cluster } from './connect.ts';
import { apiGroups, installCrds, removeCrds, untilApiGroups } from './crds.ts';
import { type StandInGroup, standInCrds, standInGroups } from './stand-in-crds.ts';

let shared: Cluster | undefined;

/** A suite that runs only where there is a control plane. */
export function describeCluster(name: string, define: () => void): void {
  describe.skipIf('unavailable' in inject('controlPlane'))(name, define);
}

/** The control plane of this run. */
export function cluster(): Cluster {
  const provided = inject('controlPlane');
  if ('unavailable' in provided) throw new Error(`no control plane; wrap the test in describeCluster\n${provided.unavailable}`);
  shared ??= new Cluster(provided.connection);
  return shared;
}

/** A new namespace, which stays until the control plane ends: to delete one costs the control plane more than most tests do. */
export async function newNamespace(labels: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = `test-${randomBytes(5).toString('hex')}`;
  succeeded(await cluster().client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }));
  return name;
}

/** A new namespace that is deleted when the test that asks for it ends. */
export async function withNamespace(labels: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = await newNamespace(labels);
  onTestFinished(async () => {
    await cluster().client.delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  });
  return name;
}

/** Makes the given groups, and no other stand-in group, served until the test that asks for it ends. */
export async function withApiGroups(groups: readonly StandInGroup[]): Promise<void> {
  onTestFinished(await holdApiGroups(groups));
}

/**
 * Makes the given groups, and no other stand-in group, served until the returned function is called.
 *
 * Other callers wait meanwhile, in other test files too. For a whole suite: `beforeAll(() => holdApiGroups([...]))`.
 */
export async function holdApiGroups(groups: readonly StandInGroup[]): Promise<() => Promise<void>> {
  const { client, connection } = cluster();
  const lock = join(connection.folder, 'api-groups.lock');
  while (!(await tryMakeFolder(lock))) await setTimeout(50);
  try {
    await serveExactly(client, groups);
  } catch (error) {
    await rmdir(lock);
    throw error;
  }
  return () => rmdir(lock);
}

async function serveExactly(client: Client, groups: readonly StandInGroup[]): Promise<void> {
  const served = await apiGroups(client);
  const tooMany = standInGroups.filter((group) => served.includes(group) && !groups.includes(group));
  await removeCrds(client, standInCrds(tooMany));
  await installCrds(client, standInCrds(groups));
  await untilApiGroups(client, (now) => standInGroups.every((group) => now.includes(group) === groups.includes(group)));
}

async function tryMakeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
