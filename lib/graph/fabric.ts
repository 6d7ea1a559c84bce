/** The network GPUs of different pods talk over, as resources each pod asks for. */
export class Fabric {
  /** InfiniBand: one `rdma/ib` per GPU. */
  static infiniband(): Fabric {
    return new Fabric('rdma/ib', 1);
  }

  /** AWS Elastic Fabric Adapter. */
  static efa(adaptersPerGpu = 1): Fabric {
    return new Fabric('vpc.amazonaws.com/efa', adaptersPerGpu);
  }

  /** Any device plugin's resource, so many per GPU. */
  static resource(name: string, perGpu = 1): Fabric {
    return new Fabric(name, perGpu);
  }

  private readonly name: string;
  private readonly perGpu: number;

  private constructor(name: string, perGpu: number) {
    this.name = name;
    this.perGpu = perGpu;
  }

  /** What a pod with so many GPUs asks for. */
  resources(gpus: number): Readonly<Record<string, string>> {
    return gpus === 0 ? {} : { [this.name]: String(gpus * this.perGpu) };
  }
}
