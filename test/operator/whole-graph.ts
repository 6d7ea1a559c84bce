/** A graph in component mode that has every kind of child, and what somebody with kubectl might do to them. */
import { setTimeout } from 'node:timers/promises';
import { objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import {
  accountBindingName,
  accountRoleName,
  discoveryAccount,
  label,
  modelHash,
  modelServiceName,
} from '../../lib/render/index.ts';
import { type Client, succeeded } from '../control-plane/client.ts';
import type { WholeObject } from '../control-plane/rest-paths.ts';
import type { StandInGroup } from '../control-plane/stand-in-crds.ts';
import { graphIn, type Child, type ChildKind, type Step } from './graph-life.ts';

const dynamo = 'nvidia.com/v1alpha1';
const rbac = 'rbac.authorization.k8s.io/v1';
const sets = 'leaderworkerset.x-k8s.io/v1';
const sshSecret = 'mpi-run-ssh-secret';

/** API groups of other projects without which the graph lacks some of its children. */
export const wholeGroups: readonly StandInGroup[] = [
  'inference.networking.k8s.io',
  'leaderworkerset.x-k8s.io',
  'networking.istio.io',
  'scheduling.volcano.sh',
];

/** Without it there are no VirtualServices. */
export const gatewayFlag = '--istio-virtual-service-gateway=istio-system/gateway';

/** Kinds of its children: first the components, whose deletion takes their children along. */
export const wholeKinds: readonly ChildKind[] = [
  [dynamo, 'DynamoComponentDeployment'],
  [dynamo, 'DynamoGraphDeploymentScalingAdapter'],
  ['v1', 'PersistentVolumeClaim'],
  ['v1', 'ServiceAccount'],
  [rbac, 'Role'],
  [rbac, 'RoleBinding'],
  ['v1', 'ConfigMap'],
  ['inference.networking.k8s.io/v1', 'InferencePool'],
  ['apps/v1', 'Deployment'],
  [sets, 'LeaderWorkerSet'],
  ['scheduling.volcano.sh/v1beta1', 'PodGroup'],
  ['v1', 'Service'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['networking.istio.io/v1beta1', 'VirtualService'],
];

const epp = 'epp-serviceaccount';
const planner = 'planner-serviceaccount';

/** What a graph has in its namespace without owning it: others may use it too. */
export const shared = (namespace: string): readonly Omit<Child, 'uid'>[] => [
  ...[epp, planner].flatMap((name) => [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } },
    { apiVersion: rbac, kind: 'RoleBinding', metadata: { namespace, name: accountBindingName(name) } },
  ]),
  { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: sshSecret } },
];

/** Whether no event tells that an object was created, as in the original: the log alone does. */
export function isCreatedSilently({ kind, metadata: { name } }: Omit<Child, 'uid'>): boolean {
  return kind === 'PersistentVolumeClaim' || shared('').some((one) => one.kind === kind && one.metadata.name === name);
}

const image = 'nvcr.io/x/vllm-runtime:0.9.0';
const mainContainer = { image, command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'm'] };
const worker = {
  componentType: 'worker',
  replicas: 1,
  resources: { limits: { gpu: '1' } },
  extraPodSpec: { mainContainer },
};

/** The graph of a namespace. */
const wholeGraph = (namespace: string): WholeObject => ({
  ...graphIn(namespace),
  spec: {
    backendFramework: 'vllm',
    pvcs: [{ name: 'cache', create: true, size: '1Gi', storageClass: 'fast', volumeAccessMode: 'ReadWriteMany' }],
    services: {
      Frontend: {
        componentType: 'frontend',
        replicas: 1,
        extraPodSpec: { mainContainer: { image } },
        ingress: {
          enabled: true,
          host: 'g',
          ingressControllerClassName: 'nginx',
          useVirtualService: true,
          virtualServiceGateway: 'istio-system/gateway',
        },
      },
      decode: { ...worker, modelRef: { name: 'm' }, scalingAdapter: { enabled: true } },
      wide: { ...worker, multinode: { nodeCount: 2 } },
      Epp: {
        componentType: 'epp',
        replicas: 1,
        extraPodSpec: { mainContainer: { image } },
        eppConfig: { config: { plugins: [{ type: 'single-profile-handler' }], schedulingProfiles: [] } },
      },
    },
  },
});

/** Makes the graph. */
export const createWhole: Step = {
  name: 'create a graph with every kind of child',
  act: (client, namespace) => client.create(wholeGraph(namespace)),
  isDone: (graph) => stringAt(graph, 'status', 'state') === 'successful',
};

/** What somebody does to a child. */
interface Edit {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly patch: JsonObject;
  /** Whether no event tells of the repair, as in the original: the log alone does. */
  readonly isSilent?: boolean;
}

const discovery = discoveryAccount('g');

/** Edits of every kind but claims, which are never compared; also of labels without which watches no longer show an object. */
export const wholeEdits: readonly Edit[] = [
  {
    apiVersion: dynamo,
    kind: 'DynamoComponentDeployment',
    name: 'g-frontend',
    patch: { spec: { envs: [{ name: 'A', value: 'b' }] } },
  },
  {
    apiVersion: dynamo,
    kind: 'DynamoGraphDeploymentScalingAdapter',
    name: 'g-decode',
    patch: { spec: { dgdRef: { serviceName: 'Frontend' } } },
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    name: discovery,
    patch: { metadata: { labels: { 'app.kubernetes.io/name': 'somebody' } } },
  },
  { apiVersion: rbac, kind: 'Role', name: accountRoleName(discovery), patch: { rules: [] } },
  {
    apiVersion: rbac,
    kind: 'Role',
    name: accountRoleName(discovery),
    patch: { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } },
  },
  { apiVersion: rbac, kind: 'RoleBinding', name: accountBindingName(discovery), patch: { subjects: [] } },
  { apiVersion: rbac, kind: 'RoleBinding', name: accountBindingName(planner), patch: { subjects: [] }, isSilent: true },
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'g-epp-config', patch: { data: { 'epp-config-dynamo.yaml': 'a: b' } } },
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'g-epp-config', patch: { metadata: { labels: { [label.graph]: null } } } },
  {
    apiVersion: 'inference.networking.k8s.io/v1',
    kind: 'InferencePool',
    name: 'g-pool',
    patch: { spec: { targetPorts: [] } },
  },
  { apiVersion: 'v1', kind: 'Secret', name: sshSecret, patch: { data: { 'private.key': 'eno=' } } },
  { apiVersion: 'apps/v1', kind: 'Deployment', name: 'g-frontend', patch: { spec: { replicas: 5 } } },
  { apiVersion: sets, kind: 'LeaderWorkerSet', name: 'g-wide-0', patch: { spec: { replicas: 5 } } },
  { apiVersion: 'scheduling.volcano.sh/v1beta1', kind: 'PodGroup', name: 'g-wide-0', patch: { spec: { minMember: 7 } } },
  { apiVersion: 'v1', kind: 'Service', name: 'g-frontend', patch: { spec: { selector: { somebody: 'else' } } } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    name: modelServiceName(modelHash('m')),
    patch: { spec: { selector: { somebody: 'else' } } },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    name: 'g-frontend',
    patch: { spec: { ingressClassName: 'somebodys' } },
  },
  {
    apiVersion: 'networking.istio.io/v1beta1',
    kind: 'VirtualService',
    name: 'g-frontend',
    patch: { spec: { hosts: ['somebody.example.com'] } },
  },
];

/** Plays the controller of LeaderWorkerSets: whatever is asked for is ready at once. */
export async function playLeaderWorkerSets(client: Client, signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await setTimeout(50)) await readyAll(client);
}

async function readyAll(client: Client): Promise<void> {
  const { items } = succeeded(await client.list<JsonObject>({ apiVersion: sets, kind: 'LeaderWorkerSet' }));
  for (const item of items) {
    const { generation = 0 } = objectAt(item, 'metadata');
    const [name, namespace] = [stringAt(item, 'metadata', 'name'), stringAt(item, 'metadata', 'namespace')];
    if (objectAt(item, 'status')['observedGeneration'] === generation) continue;
    const replicas = objectAt(item, 'spec')['replicas'] ?? 1;
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas };
    const conditions = [{ type: 'Available', status: 'True' }];
    const key = { apiVersion: sets, kind: 'LeaderWorkerSet', metadata: { name, namespace } };
    await client.merge(key, { status: { observedGeneration: generation, ...counts, conditions } }, 'status');
  }
}
