/** The effect of pull secrets on pods: each is used for its registries; one that cannot be read does not affect the others and is logged. */
import { expect, onTestFinished, test } from 'vitest';
import { objectAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];

function secretOf(name: string, content: string): JsonObject {
  const data = { '.dockerconfigjson': Buffer.from(content).toString('base64') };
  return { ...kinds.secret, metadata: { name, namespace: 'demo' }, type: 'kubernetes.io/dockerconfigjson', data };
}

test('all that can be read are used from the first pod on; others are warned of, at the start and when they come', async () => {
  const store = platformStore();
  const auths = JSON.stringify({ auths: { 'https://nvcr.io/v2/': { auth: 'c2VjcmV0' } } });
  for (const name of ['a', 'b']) store.create(secretOf(name, auths));
  store.create(secretOf('broken', '{"auths":'));
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
  onTestFinished(() => rig.stop());
  const pod = objectAt(store.get({ ...kinds.deployment, namespace: 'demo', name: 'g-decode' }), 'spec', 'template', 'spec');
  expect(pod['imagePullSecrets']).toEqual([{ name: 'a' }, { name: 'b' }]);
  const writes = rig.server.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/deployments/'));
  expect(writes).toEqual([]);

  rig.server.act((all) => all.create(secretOf('empty', '{"auths":{}}')));
  await rig.settle();
  const warnings = rig.lines.filter(({ msg }) => msg === 'Pull secret names no registry that can be read, it is not used');
  expect(warnings).toMatchObject([
    { namespace: 'demo', name: 'broken' },
    { namespace: 'demo', name: 'empty' },
  ]);
  expect(JSON.stringify(rig.lines)).not.toContain('c2VjcmV0');
});
