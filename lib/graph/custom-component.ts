import type { ComponentOptions } from './component-props.ts';
import type { ComponentSpec } from '../api/index.ts';
import { Component, type ComponentType, type Derived } from './component.ts';
import type { Num } from './engine/flag.ts';
import type { DynamoGraph } from './graph.ts';

/** Properties of a component that is neither frontend, engine worker, planner nor endpoint picker. */
export interface CustomComponentProps extends ComponentOptions {
  /**
   * Type of the component.
   * @default - none
   */
  readonly type?: ComponentType;
  /**
   * `subComponentType` of the component.
   * @default - none
   */
  readonly subType?: string;
  /**
   * Python module to run with the arguments `extraArgs`.
   * @default - none; `container.command` or the command of the image runs
   */
  readonly module?: string;
  /**
   * Arguments of `module`.
   * @default - none
   */
  readonly extraArgs?: readonly string[];
  /**
   * GPUs per pod.
   * @default 0
   */
  readonly gpus?: number;
  /**
   * Whether compiled kernels are stored on the compilation claim of `modelCache`.
   * @default false
   */
  readonly compilationCache?: boolean;
  /**
   * Nodes per replica.
   * @default 1
   */
  readonly nodeCount?: number;
}

/** A component that runs a module or command of the user. */
export class CustomComponent extends Component {
  private readonly props: CustomComponentProps;

  constructor(graph: DynamoGraph, name: string, props: CustomComponentProps) {
    super(graph, name, props);
    this.props = props;
  }

  override get counts(): Readonly<Record<string, Num | undefined>> {
    return { gpus: this.props.gpus === 0 ? undefined : this.props.gpus, nodeCount: this.props.nodeCount };
  }

  override get gpusPerPod(): number {
    return this.props.gpus ?? super.gpusPerPod;
  }

  override get nodes(): number {
    return this.props.nodeCount ?? super.nodes;
  }

  protected derive(): Derived {
    const { module, extraArgs = [], type, subType, compilationCache } = this.props;
    return {
      type,
      subType,
      compilationCache,
      image: this.graph.image,
      ...(module === undefined ? {} : { command: ['python3', '-m', module], args: extraArgs }),
    };
  }
}

/** A component in API format. */
export class ManifestComponent extends Component {
  private readonly manifest: ComponentSpec;

  constructor(graph: DynamoGraph, name: string, manifest: ComponentSpec) {
    super(graph, name, { spec: manifest });
    this.manifest = manifest;
  }

  protected derive(): Derived {
    return {};
  }

  protected override renderUnpatched(): ComponentSpec {
    return this.autoscaled ? { ...this.manifest, scalingAdapter: { enabled: true } } : this.manifest;
  }
}
