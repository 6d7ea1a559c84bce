/** Graphs over one node and over several become ready with the real LeaderWorkerSets under the installed operator. */
import { describe, expect, test } from 'vitest';
import { stringAt } from '../../lib/json/index.ts';
import { bringUp, expectSshKey, judge, orchestrated, overSsh } from './bring-up.ts';
import { isMultinode } from './examples.ts';
import { installPlatform, type InstallOptions, type Installation } from './install-platform.ts';
import { leaderWorkerSetActs } from './orchestrator-acts.ts';
import { startLeaderWorkerSets } from './orchestrators.ts';
import { items } from './until-ready.ts';

const isLong = process.env['LONG'] !== undefined;

async function installBesideSets(profile: InstallOptions['profile']): Promise<Installation> {
  const installation = await installPlatform({ profile, groups: ['inference.networking.k8s.io'] });
  await startLeaderWorkerSets(installation.cluster);
  return installation;
}

/** Namespaces that have LeaderWorkerSets. */
async function namespacesOfSets({ cluster }: Installation): Promise<ReadonlySet<string>> {
  const sets = await items(cluster.client, 'leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet');
  return new Set(sets.map((set) => stringAt(set, 'metadata', 'namespace')));
}

describe('installed beside LeaderWorkerSets', () => {
  test('with the profile secure it brings up graphs', async () => {
    const installation = await installBesideSets('secure');
    await bringUp(installation, orchestrated);
    const multinode = orchestrated.filter(isMultinode).map(({ namespace }) => namespace);
    expect(await namespacesOfSets(installation)).toEqual(new Set(multinode));
    if (isLong) await judge(installation, leaderWorkerSetActs, ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh']);
  });

  test.skipIf(!isLong)(
    'with the profile parity it brings up graphs over several nodes, with the SSH key of the hook',
    async () => {
      const installation = await installBesideSets('parity');
      await bringUp(installation, overSsh);
      expect(await namespacesOfSets(installation)).toEqual(new Set(overSsh.map(({ namespace }) => namespace)));
      await expectSshKey(installation, overSsh);
    },
  );
});
