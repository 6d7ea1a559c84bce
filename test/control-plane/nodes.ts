/** Nodes for a control plane started with `scheduler` and `kwok`: pods bound to them become Running and Ready. */
import { setTimeout } from 'node:timers/promises';
import { type Client, type KubernetesObject, succeeded } from './client.ts';

/** A node to add. */
export interface NodeOptions {
  readonly name: string;
  /**
   * GPUs it offers, as `nvidia.com/gpu`.
   * @default 8
   */
  readonly gpus?: number;
  /**
   * Labels besides its host name.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Other devices that the node offers, such as `rdma/ib`.
   * @default - none
   */
  readonly devices?: Readonly<Record<string, string>>;
  /**
   * Whether processors and memory are never what is missing.
   * @default false
   */
  readonly isRoomy?: boolean;
}

interface Node extends KubernetesObject {
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
}

const patienceMs = 300_000;

/** Adds a node and waits until pods can be scheduled to it. */
export async function addNode(
  client: Client,
  { name, gpus = 8, labels = {}, devices = {}, isRoomy = false }: NodeOptions,
): Promise<void> {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } } };
  const size = isRoomy ? { cpu: '1024', memory: '8Ti' } : { cpu: '128', memory: '1Ti' };
  const room = { ...size, pods: '110', 'ephemeral-storage': '1Ti' };
  const offers = { ...room, 'nvidia.com/gpu': String(gpus), ...devices };
  succeeded(await client.create(node));
  succeeded(await client.merge(node, { status: { capacity: offers, allocatable: offers } }, 'status'));
  const deadline = Date.now() + patienceMs;
  // The API server marks a new node as not ready; the node controller takes the mark away once kwok reports.
  for (;;) {
    const taints = succeeded(await client.get<Node>(node)).spec.taints ?? [];
    if (taints.length === 0) return;
    if (Date.now() > deadline) throw new Error(`node ${name} is still tainted: ${taints.map(({ key }) => key).join(', ')}`);
    await setTimeout(50);
  }
}
