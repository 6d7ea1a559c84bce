import type { PodFields } from './component-props.ts';

type Affinity = NonNullable<PodFields['affinity']>;
type Toleration = NonNullable<PodFields['tolerations']>[number];
type NodeTerm = NonNullable<
  NonNullable<
    NonNullable<Affinity['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
  >['nodeSelectorTerms'][number]['matchExpressions']
>[number];
type PodTerm = NonNullable<NonNullable<Affinity['podAffinity']>['preferredDuringSchedulingIgnoredDuringExecution']>[number];

/** One requirement on the node of a pod. */
type Requirement = { readonly node: NodeTerm } | { readonly besidePods: PodTerm } | { readonly tolerate: Toleration };

const onNodesWith = (key: string, values: readonly string[]): Placement =>
  new Placement([{ node: { key, operator: 'In', values } }]);

/** Where pods may run, for the property `placement` of components; `and` combines placements, all of which apply. */
export class Placement {
  /** Only on nodes that the GPU operator labels as having GPUs. */
  static gpuNodes(): Placement {
    return onNodesWith('nvidia.com/gpu.present', ['true']);
  }

  /** Only on nodes with one of these GPUs, such as `NVIDIA-H100-80GB-HBM3`. */
  static gpuProducts(...products: readonly string[]): Placement {
    return onNodesWith('nvidia.com/gpu.product', products);
  }

  /** Only on nodes with one of these values of a label. */
  static nodesWith(label: string, ...values: readonly string[]): Placement {
    return onNodesWith(label, values);
  }

  /** Also on nodes with the taint `nvidia.com/gpu`, which keeps other pods off GPU nodes. */
  static tolerateGpuTaint(): Placement {
    return new Placement([{ tolerate: { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' } }]);
  }

  /** Preferably on nodes that already run a worker. */
  static besideWorkers(): Placement {
    const matchExpressions = [{ key: 'nvidia.com/dynamo-component-type', operator: 'In', values: ['worker'] }];
    const podAffinityTerm = { labelSelector: { matchExpressions }, topologyKey: 'kubernetes.io/hostname' };
    return new Placement([{ besidePods: { weight: 100, podAffinityTerm } }]);
  }

  /** The requirements. The pod field of this name has another type: `pod: { ...placement }`, which drops other placements, does not compile. */
  readonly affinity: readonly Requirement[];

  /** Use the static methods instead. */
  constructor(requirements: readonly Requirement[]) {
    this.affinity = requirements;
  }

  /** Combines this placement with others. */
  and(...others: readonly Placement[]): Placement {
    return new Placement([this, ...others].flatMap((p) => p.affinity));
  }

  /** Affinity and tolerations of a pod, added to those it already has. */
  render(pod: PodFields = {}): Pick<PodFields, 'affinity' | 'tolerations'> {
    const nodes = this.affinity.flatMap((d) => ('node' in d ? [d.node] : []));
    const pods = this.affinity.flatMap((d) => ('besidePods' in d ? [d.besidePods] : []));
    const tolerations = [...this.affinity.flatMap((d) => ('tolerate' in d ? [d.tolerate] : [])), ...(pod.tolerations ?? [])];
    const given = pod.affinity ?? {};
    // Terms are ORed and the expressions of a term are ANDed, so each term gets all requirements,
    // see https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#node-affinity.
    const terms = given.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
    const nodeAffinity = {
      ...given.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((t) => ({ ...t, matchExpressions: [...(t.matchExpressions ?? []), ...nodes] })),
      },
    };
    const preferred = [...(given.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []), ...pods];
    const affinity = {
      ...given,
      ...(nodes.length === 0 ? {} : { nodeAffinity }),
      ...(pods.length === 0
        ? {}
        : { podAffinity: { ...given.podAffinity, preferredDuringSchedulingIgnoredDuringExecution: preferred } }),
    };
    return {
      ...(Object.keys(affinity).length === 0 ? {} : { affinity }),
      ...(tolerations.length === 0 ? {} : { tolerations }),
    };
  }
}
