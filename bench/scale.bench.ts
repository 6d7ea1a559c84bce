// What graphs, and objects of others, cost the operator: processor, memory, bytes received, writes. One control plane, the built operator.
// GRAPHS=50,200,500 and FOREIGN=10000 say how many. Run by name only: it takes minutes and wants an idle machine.
import { setTimeout } from 'node:timers/promises';
import { freePorts } from '../test/control-plane/free-ports.ts';
import { succeeded } from '../test/control-plane/client.ts';
import { openOperatorCluster, operatorFlags } from '../test/operator/operator-cluster.ts';
import { startMeasured, type MeasuredOperator, type Used } from './measured-operator.ts';

const levels = (process.env['GRAPHS'] ?? '50,200,500').split(',').map(Number);
const foreign = Number(process.env['FOREIGN'] ?? '10000');
const width = 32;
const image = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0';

// The controllers of Kubernetes would only take processor time from what is measured.
const withoutControllers = ['deployment', 'garbagecollector', 'resourcequota', 'endpoint', 'endpointslice', 'podgc'];
const { cluster, stop } = await openOperatorCluster({ withoutControllers });
const { client, audit } = cluster;
const { kubeconfig, username } = cluster.user('operator');

async function start(): Promise<MeasuredOperator> {
  const [metrics = 0, probes = 0] = await freePorts(2);
  return startMeasured(kubeconfig, operatorFlags, [metrics, probes]);
}

/** Does something for every number below a count, some at a time. */
async function each(from: number, to: number, act: (index: number) => Promise<unknown>): Promise<void> {
  const indexes = Array.from({ length: to - from }, (_, index) => from + index).values();
  const worker = async (): Promise<void> => {
    for (const index of indexes) await act(index);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

const service = (componentType: string, args: readonly string[] = [], more: object = {}) => ({
  componentType,
  replicas: 1,
  extraPodSpec: {
    mainContainer: { image, ...(args.length > 0 && { command: ['python3', '-m', 'dynamo.vllm'], args }) },
  },
  ...more,
});
const worker = (subComponentType: string) =>
  service('worker', ['--model', 'Qwen/Qwen3-0.6B'], { subComponentType, resources: { limits: { gpu: '1' } } });
const graph = (index: number) => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: `g${index}`, namespace: 'graphs' },
  spec: { services: { Frontend: service('frontend'), prefill: worker('prefill'), decode: worker('decode') } },
});

const labels = { app: 'foreign' };
const podSpec = {
  containers: [
    {
      name: 'main',
      image: 'example.com/app:1',
      env: Array.from({ length: 20 }, (_, index) => ({ name: `V${index}`, value: 'x'.repeat(40) })),
    },
  ],
};
/** Services and claims of others: no selector excludes them. Services without an address, since the API server assigns addresses one by one. */
const foreignServices = (index: number) => {
  const metadata = { name: `foreign-${index}`, namespace: 'foreign', labels };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: 'None', selector: labels, ports: [{ port: 80 }] } },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ];
};

/** Objects of others that the selectors of watches let through: pods of Jobs, and Secrets with which images are pulled. */
const selectedObjects = (index: number) => {
  const metadata = { name: `selected-${index}`, namespace: 'foreign', labels };
  const pullSecret = JSON.stringify({ auths: { [`registry-${index}.example.com`]: { auth: 'eDp5' } } });
  return [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, labels: { ...labels, 'job-name': `job-${index}` } },
      spec: podSpec,
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': Buffer.from(pullSecret).toString('base64') },
    },
  ];
};

/** Objects as others make them, of the kinds that a cluster has most of. */
const foreignObjects = (index: number) => {
  const metadata = { name: `foreign-${index}`, namespace: 'foreign', labels };
  return [
    { apiVersion: 'v1', kind: 'Pod', metadata, spec: podSpec },
    { apiVersion: 'v1', kind: 'Secret', metadata, data: { key: Buffer.alloc(1024, 'x').toString('base64') } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
  ];
};

const columns = [
  'graphs',
  'objects of others',
  'what',
  'writes',
  'events',
  'CPU s',
  'CPU s a graph',
  'MB read',
  'kB read a graph',
  'RSS MB',
];
console.log(`| ${columns.join(' | ')} |\n| ${columns.map(() => '---').join(' | ')} |`);
const started: Used = { cpuSeconds: 0, residentMb: 0, bytesRead: 0 };

async function row(
  what: string,
  counts: { readonly graphs: number; readonly foreign: number; readonly per?: number },
  operator: MeasuredOperator,
  before: Used,
  since: number,
): Promise<void> {
  const after = await operator.settled();
  const writes = (await audit.writes({ username, since })).filter(({ objectRef }) => objectRef?.resource !== 'leases');
  const events = writes.filter(({ objectRef }) => objectRef?.resource === 'events').length;
  const cpu = after.cpuSeconds - before.cpuSeconds;
  const megabytes = (after.bytesRead - before.bytesRead) / 1e6;
  const { per } = counts;
  const cells = [
    counts.graphs,
    counts.foreign,
    what,
    writes.length - events,
    events,
    cpu.toFixed(2),
    per === undefined ? '' : (cpu / per).toFixed(3),
    megabytes.toFixed(2),
    per === undefined ? '' : ((megabytes * 1000) / per).toFixed(0),
    after.residentMb.toFixed(0),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

async function restart(counts: { readonly graphs: number; readonly foreign: number }): Promise<void> {
  const since = await audit.now();
  const operator = await start();
  await row('start', counts, operator, started, since);
  await operator.stop();
}

/** The fields used here of a Deployment. */
interface Deployment {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly generation: number };
  readonly spec: { readonly replicas: number };
}

/** Plays the controller of Deployments: all pods of all graphs are ready. Until then the operator looks at each pending graph again every 30 seconds. */
async function makeReady(graphs: number): Promise<void> {
  const operator = await start();
  const before = await operator.settled();
  const since = await audit.now();
  const kind = { apiVersion: 'apps/v1', kind: 'Deployment' };
  const { items } = succeeded(await client.list<Deployment>({ ...kind, namespace: 'graphs' }));
  const statusOf = ({ metadata: { generation }, spec: { replicas } }: Deployment) => ({
    observedGeneration: generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    conditions: [{ type: 'Available', status: 'True' }],
  });
  await each(0, items.length, async (index) => {
    const item = items[index];
    if (item !== undefined)
      succeeded(await client.merge({ ...kind, metadata: item.metadata }, { status: statusOf(item) }, 'status'));
  });
  await row('all became ready', { graphs, foreign: 0, per: graphs }, operator, before, since);
  await operator.stop();
}

/** Shows what an operator uses while nothing happens. */
async function idle(graphs: number): Promise<void> {
  const operator = await start();
  const before = await operator.settled();
  const since = await audit.now();
  await setTimeout(60_000);
  await row('nothing for a minute', { graphs, foreign: 0 }, operator, before, since);
  await operator.stop();
}

/** Adds objects of others to a cluster with graphs, changes them, and starts the operator among them. */
async function addForeign(graphs: number): Promise<void> {
  const operator = await start();
  const before = await operator.settled();
  const since = await audit.now();
  await each(0, foreign, async (index) => {
    for (const object of foreignObjects(index)) succeeded(await client.create(object));
  });
  await row('objects of others created', { graphs, foreign: 3 * foreign }, operator, before, since);
  const again = await operator.settled();
  await each(0, foreign, async (index) => {
    const [pod, , deployment] = foreignObjects(index);
    const status = { conditions: [{ type: 'Ready', status: 'False' }] };
    if (pod !== undefined) succeeded(await client.merge(pod, { status }, 'status'));
    if (deployment !== undefined) succeeded(await client.merge(deployment, { spec: { replicas: 2 } }));
  });
  await row('pods and Deployments of others changed', { graphs, foreign: 3 * foreign }, operator, again, since);
  await operator.stop();
  await restart({ graphs, foreign: 3 * foreign });
}

/** Adds objects of others that reach the operator, and starts it among them. */
async function addReaching(
  what: string,
  objectsOf: (index: number) => readonly Parameters<typeof client.create>[0][],
  counts: { readonly graphs: number; readonly foreign: number },
): Promise<void> {
  const operator = await start();
  const before = await operator.settled();
  const since = await audit.now();
  await each(0, foreign, async (index) => {
    for (const object of objectsOf(index)) succeeded(await client.create(object));
  });
  await row(`${what} of others created`, counts, operator, before, since);
  await operator.stop();
  await restart(counts);
}

try {
  for (const name of ['graphs', 'foreign'])
    succeeded(await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  await restart({ graphs: 0, foreign: 0 });
  let graphs = 0;
  for (const level of levels) {
    const operator = await start();
    const before = await operator.settled();
    const since = await audit.now();
    await each(graphs, level, async (index) => succeeded(await client.create(graph(index))));
    await row(`${level - graphs} created`, { graphs: level, foreign: 0, per: level - graphs }, operator, before, since);
    graphs = level;
    await operator.stop();
    await restart({ graphs, foreign: 0 });
  }
  await makeReady(graphs);
  await idle(graphs);
  if (foreign > 0) {
    await addForeign(graphs);
    await addReaching('Services and claims', foreignServices, { graphs, foreign: 5 * foreign });
    await addReaching('pods of Jobs and pull secrets', selectedObjects, { graphs, foreign: 7 * foreign });
  }
} finally {
  await stop();
}
