/** Changes to graphs next to a real orchestrator, after which the operator has used every right on the orchestrator's objects. */
import { objectAt, stringAt } from '../../lib/json/index.ts';
import { type Client, succeeded } from '../control-plane/client.ts';
import { type Act, edits, named, names, owned } from './acts.ts';
import { namespace, narrowGraph, wideGraph } from './rights-graphs.ts';
import { items, untilGraphsReady } from './until-ready.ts';

const grove = 'grove.io/v1alpha1';
const sets = 'leaderworkerset.x-k8s.io/v1';
const groups = 'scheduling.volcano.sh/v1beta1';

const areCreated: Act = {
  what: 'graphs are created',
  run: async ({ cluster: { client } }) => {
    succeeded(await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
    for (const graph of [wideGraph, narrowGraph]) succeeded(await client.create(graph));
  },
  until: async ({ cluster: { client } }) => (await untilGraphsReady(client)) > 0,
};

/** Scales the adapter of a service. */
async function scale(client: Client, service: string, replicas: number): Promise<void> {
  const adapters = await owned(client, 'nvidia.com/v1alpha1', 'DynamoGraphDeploymentScalingAdapter');
  const adapter = adapters.find((one) => stringAt(one, 'metadata', 'name') === `life-${service}`);
  succeeded(await client.merge(named(adapter), { spec: { replicas } }, 'scale'));
}

/** An adapter of the graph is scaled, and Grove's object of that kind is to have as many replicas. */
function scales(service: string, kind: string, replicas: number): Act {
  return {
    what: `the adapter of ${service} is scaled to ${replicas}`,
    run: ({ cluster: { client } }) => scale(client, service, replicas),
    until: async ({ cluster: { client } }) =>
      (await items(client, grove, kind, namespace)).some((one) => objectAt(one, 'spec')['replicas'] === replicas),
  };
}

const leavesGrove: Act = {
  what: 'a graph leaves Grove',
  run: async ({ cluster: { client } }) => {
    const change = { metadata: { annotations: { 'nvidia.com/enable-grove': 'false' } } };
    succeeded(await client.merge(named(narrowGraph), change));
  },
  until: async ({ cluster: { client } }) =>
    !(await names(client, grove, 'PodCliqueSet')).includes(named(narrowGraph).metadata.name),
};

const losesReplica: Act = {
  what: 'a service over two nodes loses a replica',
  run: ({ cluster: { client } }) => scale(client, 'wide', 1),
  until: async ({ cluster: { client } }) => {
    const left = await Promise.all([owned(client, sets, 'LeaderWorkerSet'), owned(client, groups, 'PodGroup')]);
    return left.every(({ length }) => length === 1);
  },
};

/** Beside Grove. */
export const groveActs: readonly Act[] = [
  areCreated,
  scales('decode', 'PodClique', 3),
  scales('wide', 'PodCliqueScalingGroup', 3),
  edits(grove, 'PodCliqueSet', { spec: { replicas: 2 } }),
  scales('wide', 'PodCliqueScalingGroup', 0),
  edits(grove, 'PodCliqueSet', { spec: { template: { terminationDelay: '1s' } } }),
  leavesGrove,
];

/** Beside LeaderWorkerSets. */
export const leaderWorkerSetActs: readonly Act[] = [
  areCreated,
  edits(sets, 'LeaderWorkerSet', { spec: { replicas: 2 } }),
  edits(groups, 'PodGroup', { spec: { minMember: 7 } }),
  losesReplica,
];
