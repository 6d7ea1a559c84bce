/** The network between GPUs of different pods, as resources that each pod requests. */
export class Fabric {
  /** InfiniBand: one `rdma/ib` per GPU. */
  static infiniband(): Fabric {
    return new Fabric('rdma/ib', 1);
  }

  /** AWS Elastic Fabric Adapter: `vpc.amazonaws.com/efa`, one per GPU by default. */
  static efa(adaptersPerGpu = 1): Fabric {
    return new Fabric('vpc.amazonaws.com/efa', adaptersPerGpu);
  }

  /** Resource of any device plugin, with a number per GPU. */
  static resource(name: string, perGpu = 1): Fabric {
    return new Fabric(name, perGpu);
  }

  private readonly name: string;
  private readonly perGpu: number;

  private constructor(name: string, perGpu: number) {
    this.name = name;
    this.perGpu = perGpu;
  }

  /** Resources of a pod with a number of GPUs. */
  resources(gpus: number): Readonly<Record<string, string>> {
    return gpus === 0 ? {} : { [this.name]: String(gpus * this.perGpu) };
  }
}
