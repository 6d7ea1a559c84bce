/** Changes that users and others make to an installed platform, one after the other, so that the operator uses every right it has. */
import { Agent, request as httpRequest } from 'undici';
import { objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { type Client, succeeded } from '../control-plane/client.ts';
import type { SeenRequest } from '../runtime/fault-proxy.ts';
import { type Act, edits, isLeft, live, named, names, owned, until } from './acts.ts';
import { home } from './install-platform.ts';
import { graph, lora, namespace, profilerOutput, pullSecret, request, shrunk } from './rights-graphs.ts';
import { items, untilGraphsReady } from './until-ready.ts';

const dynamo = 'nvidia.com/v1alpha1';
const rbac = 'rbac.authorization.k8s.io/v1';
const trusting = new Agent({ connect: { rejectUnauthorized: false } });
const certificate = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: home, name: 'webhook-server-cert' } };
const sshSecret = (where: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: where, name: 'mpi-run-ssh-secret' },
});

/** A kind that a graph owns. */
interface Child {
  readonly apiVersion: string;
  readonly kind: string;
  /** What somebody does to one of them. */
  readonly change: JsonObject;
  /** When one goes: as the graph shrinks, or when an earlier operator has left one. */
  readonly end: 'shrinks' | 'left';
}

const edited = (key: string) => ({ metadata: { labels: { [key]: 'edited' } } });
const children: readonly Child[] = [
  { apiVersion: dynamo, kind: 'DynamoComponentDeployment', change: { spec: { replicas: 3 } }, end: 'left' },
  {
    apiVersion: dynamo,
    kind: 'DynamoGraphDeploymentScalingAdapter',
    change: edited('nvidia.com/dynamo-component'),
    end: 'shrinks',
  },
  { apiVersion: 'apps/v1', kind: 'Deployment', change: { spec: { replicas: 3 } }, end: 'left' },
  { apiVersion: 'v1', kind: 'Service', change: { spec: { selector: { somebody: 'else' } } }, end: 'left' },
  { apiVersion: 'v1', kind: 'ServiceAccount', change: edited('app.kubernetes.io/name'), end: 'shrinks' },
  { apiVersion: 'v1', kind: 'ConfigMap', change: edited('nvidia.com/dynamo-component'), end: 'left' },
  { apiVersion: rbac, kind: 'Role', change: { rules: [] }, end: 'shrinks' },
  { apiVersion: rbac, kind: 'RoleBinding', change: { subjects: [] }, end: 'shrinks' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', change: { spec: { ingressClassName: 'edited' } }, end: 'shrinks' },
  { apiVersion: 'networking.istio.io/v1beta1', kind: 'VirtualService', change: { spec: { hosts: [] } }, end: 'shrinks' },
  { apiVersion: 'inference.networking.k8s.io/v1', kind: 'InferencePool', change: { spec: { targetPorts: [] } }, end: 'left' },
];

/** The acts, in their order. */
export const life: readonly Act[] = [
  {
    what: 'a graph is created',
    run: async ({ cluster: { client } }) => {
      succeeded(await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
      for (const object of [pullSecret, graph]) succeeded(await client.create(object));
    },
    until: async ({ cluster: { client } }) => (await untilGraphsReady(client)) === 1,
  },
  {
    what: 'the adapter is scaled',
    run: async ({ cluster: { client } }) => {
      const [adapter] = await owned(client, dynamo, 'DynamoGraphDeploymentScalingAdapter');
      succeeded(await client.merge(named(adapter), { spec: { replicas: 2 } }, 'scale'));
    },
    until: async ({ cluster: { client } }) => {
      const counts = (await owned(client, 'apps/v1', 'Deployment')).map((one) =>
        Number(objectAt(one, 'status')['readyReplicas']),
      );
      return counts.includes(2);
    },
  },
  ...children.map(({ apiVersion, kind, change }) => edits(apiVersion, kind, change)),
  {
    what: 'somebody binds the planner to another role',
    run: async ({ cluster: { client } }) => {
      const binding = { apiVersion: rbac, kind: 'RoleBinding', metadata: { namespace, name: 'planner-serviceaccount-binding' } };
      const live = succeeded<JsonObject>(await client.get<JsonObject>(binding));
      succeeded(await client.delete(binding));
      const { labels } = objectAt(live, 'metadata');
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
      const { subjects } = live;
      succeeded(await client.create({ ...binding, metadata: { ...binding.metadata, labels }, roleRef, subjects }));
    },
    until: async ({ cluster: { client } }) =>
      (await items(client, rbac, 'RoleBinding', namespace)).every((binding) => stringAt(binding, 'roleRef', 'name') !== 'view'),
  },
  ...children.filter(({ end }) => end === 'left').map(({ apiVersion, kind }) => isLeft(apiVersion, kind)),
  {
    what: 'the SSH key is replaced',
    run: async ({ cluster: { client } }) =>
      succeeded(await client.merge(sshSecret(home), { stringData: { 'private.key': 'another key' } })),
    until: async ({ cluster: { client } }) => {
      const [source, copy] = await Promise.all([home, namespace].map((one) => client.get<JsonObject>(sshSecret(one))));
      return JSON.stringify(source?.body['data']) === JSON.stringify(copy?.body['data']);
    },
  },
  {
    what: 'a LoRA is asked for',
    run: async ({ cluster: { client } }) => succeeded(await client.create(lora)),
    until: async ({ cluster: { client } }) => Number(objectAt(await live(client, lora), 'status')['totalEndpoints']) > 0,
  },
  {
    what: 'a request finds the output of an earlier one of its name, and is deployed',
    run: async ({ cluster: { client } }) => {
      // The profiler must not end before its output is there.
      await cordon(client, true);
      succeeded(await client.create(profilerOutput('ask')));
      succeeded(await client.create(request('ask')));
      const before = succeeded<JsonObject>(await client.get<JsonObject>(profilerOutput('ask')));
      await until('the old output to be removed', async () => {
        const now = await client.get<JsonObject>(profilerOutput('ask'));
        return now.status === 404 || stringAt(now.body, 'metadata', 'uid') !== stringAt(before, 'metadata', 'uid');
      });
      succeeded(await client.create(profilerOutput('ask')));
      await cordon(client, false);
    },
    until: async ({ cluster: { client } }) => stringAt(await live(client, request('ask')), 'status', 'state') === 'Ready',
  },
  {
    what: 'a request is edited before it says that its Job runs',
    run: async ({ cluster: { client }, proxy }) => {
      const isJob = ({ method, path }: SeenRequest): boolean => method === 'POST' && path.endsWith('/jobs');
      const jobsBefore = proxy.requests.filter(isJob).length;
      const isStatus = ({ method, path }: SeenRequest): boolean => method === 'PUT' && path.endsWith('/twice/status');
      const hasJob = (): boolean => proxy.requests.filter(isJob).length > jobsBefore;
      let isEdited = false;
      proxy.inject((seen) => isStatus(seen) && hasJob() && !isEdited, { answer: 500 }, Infinity);
      succeeded(await client.create(request('twice')));
      await until('a Job to be made', async () => (await names(client, 'batch/v1', 'Job')).includes('profile-twice'));
      succeeded(await client.merge(named(request('twice')), { spec: { model: 'Qwen/Qwen3-4B' } }));
      const isRemoval = ({ method, path }: SeenRequest): boolean => method === 'DELETE' && path.endsWith('/jobs/profile-twice');
      await until('the Job to be removed', () => Promise.resolve(proxy.requests.some(isRemoval)));
      isEdited = true;
    },
    until: async ({ cluster: { client } }) => stringAt(await live(client, request('twice')), 'status', 'state') !== 'Pending',
  },
  {
    what: 'the graph shrinks',
    run: async ({ cluster: { client } }) => succeeded(await client.merge(named(graph), shrunk)),
    until: async ({ cluster: { client } }) => {
      for (const { apiVersion, kind, end } of children)
        if (end === 'shrinks' && (await owned(client, apiVersion, kind)).length > 0) return false;
      return true;
    },
  },
  {
    what: 'the graph is deleted',
    run: async ({ cluster: { client } }) => succeeded(await client.delete(named(graph))),
    until: async ({ cluster: { client } }) => (await client.get(named(graph))).status === 404,
  },
  {
    what: 'the certificate is spoilt',
    run: async ({ cluster: { client } }) => succeeded(await client.merge(certificate, { data: { 'tls.crt': '' } })),
    until: async ({ cluster: { client } }) => stringAt(await live(client, certificate), 'data', 'tls.crt') !== '',
  },
  {
    what: 'somebody reads the metrics',
    run: () => Promise.resolve(),
    until: async ({ cluster }) => {
      const headers = { authorization: `Bearer ${cluster.user('admin').token}` };
      const { statusCode, body } = await httpRequest('https://127.0.0.1:8443/metrics', { dispatcher: trusting, headers });
      await body.dump();
      return statusCode === 200;
    },
  },
];

/** Lets nodes take pods or not. */
async function cordon(client: Client, unschedulable: boolean): Promise<void> {
  for (const node of await items(client, 'v1', 'Node'))
    succeeded(await client.merge(named({ ...node, apiVersion: 'v1', kind: 'Node' }), { spec: { unschedulable } }));
}
