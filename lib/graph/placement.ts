import type { PodFields } from './component-props.ts';

type Affinity = NonNullable<PodFields['affinity']>;
type Toleration = NonNullable<PodFields['tolerations']>[number];
type NodeTerm = NonNullable<
  NonNullable<
    NonNullable<Affinity['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
  >['nodeSelectorTerms'][number]['matchExpressions']
>[number];
type PodTerm = NonNullable<NonNullable<Affinity['podAffinity']>['preferredDuringSchedulingIgnoredDuringExecution']>[number];

/** One demand on the node of a pod. */
type Demand = { readonly node: NodeTerm } | { readonly besidePods: PodTerm } | { readonly tolerate: Toleration };

const onNodesWith = (key: string, values: readonly string[]): Placement =>
  new Placement([{ node: { key, operator: 'In', values } }]);

/** Where pods may run, for the `placement` property of components; several combine with `and`, and all of them hold. */
export class Placement {
  /** Only on nodes that the GPU operator found GPUs on. */
  static gpuNodes(): Placement {
    return onNodesWith('nvidia.com/gpu.present', ['true']);
  }

  /** Only on nodes with one of these GPUs, such as `NVIDIA-H100-80GB-HBM3`. */
  static gpuProducts(...products: readonly string[]): Placement {
    return onNodesWith('nvidia.com/gpu.product', products);
  }

  /** Only on nodes whose label has one of these values. */
  static nodesWith(label: string, ...values: readonly string[]): Placement {
    return onNodesWith(label, values);
  }

  /** Also on nodes kept for GPU pods by the usual taint. */
  static tolerateGpuTaint(): Placement {
    return new Placement([{ tolerate: { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' } }]);
  }

  /** Rather on nodes that already run a worker. */
  static besideWorkers(): Placement {
    const matchExpressions = [{ key: 'nvidia.com/dynamo-component-type', operator: 'In', values: ['worker'] }];
    const podAffinityTerm = { labelSelector: { matchExpressions }, topologyKey: 'kubernetes.io/hostname' };
    return new Placement([{ besidePods: { weight: 100, podAffinityTerm } }]);
  }

  /** The demands. A list where a pod has an object: spreading a placement into `pod`, which would lose what another says, does not compile. */
  readonly affinity: readonly Demand[];

  /** Made by the functions above. */
  constructor(demands: readonly Demand[]) {
    this.affinity = demands;
  }

  /** Both this and other placements. */
  and(...others: readonly Placement[]): Placement {
    return new Placement([this, ...others].flatMap((p) => p.affinity));
  }

  /** The fields of a pod, together with what the pod already says about its place. */
  render(pod: PodFields = {}): Pick<PodFields, 'affinity' | 'tolerations'> {
    const nodes = this.affinity.flatMap((d) => ('node' in d ? [d.node] : []));
    const pods = this.affinity.flatMap((d) => ('besidePods' in d ? [d.besidePods] : []));
    const tolerations = [...this.affinity.flatMap((d) => ('tolerate' in d ? [d.tolerate] : [])), ...(pod.tolerations ?? [])];
    const given = pod.affinity ?? {};
    // Terms are alternatives and the expressions of one term hold together, so each term gets all of ours.
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
