/** Graphs over one node and over several become ready with the real Grove under the installed operator. */
import { describe, expect, test } from 'vitest';
import { groveFolder } from '../../tools/grove.ts';
import { succeeded } from '../control-plane/client.ts';
import { bringUp, expectSshKey, judge, orchestrated, overSsh } from './bring-up.ts';
import { countGraphs } from './examples.ts';
import { installPlatform, type InstallOptions, type Installation } from './install-platform.ts';
import { groveActs } from './orchestrator-acts.ts';
import { startGrove, startScheduler } from './orchestrators.ts';
import { items } from './until-ready.ts';

const isLong = process.env['LONG'] !== undefined;

async function installBesideGrove(profile: InstallOptions['profile']): Promise<Installation> {
  const installation = await installPlatform({ profile, groups: ['inference.networking.k8s.io', 'scheduling.run.ai'] });
  const { cluster } = installation;
  succeeded(await cluster.client.create({ apiVersion: 'scheduling.run.ai/v2', kind: 'Queue', metadata: { name: 'dynamo' } }));
  await startScheduler(cluster, 'kai-scheduler');
  await startGrove(cluster, groveFolder ?? '');
  return installation;
}

describe('installed beside Grove', () => {
  test('with the profile secure it brings up graphs', async () => {
    const installation = await installBesideGrove('secure');
    await bringUp(installation, orchestrated);
    const { client } = installation.cluster;
    expect(await items(client, 'grove.io/v1alpha1', 'PodCliqueSet')).toHaveLength(countGraphs(orchestrated));
    if (isLong) await judge(installation, groveActs, ['grove.io', 'scheduling.run.ai']);
  });

  test.skipIf(!isLong)(
    'with the profile parity it brings up graphs over several nodes, with the SSH key of the hook',
    async () => {
      const installation = await installBesideGrove('parity');
      await bringUp(installation, overSsh);
      const { client } = installation.cluster;
      expect(await items(client, 'grove.io/v1alpha1', 'PodCliqueSet')).toHaveLength(1);
      await expectSshKey(installation, overSsh);
    },
  );
});
