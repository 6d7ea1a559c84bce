import type { IConfigMap } from 'cdk8s-plus-28';
import type { EndpointPickerConfig } from '../api/index.ts';
import type { ComponentOptions } from './component-props.ts';
import { Component, type Derived } from './component.ts';
import type { DynamoGraph } from './graph.ts';
import { referencedName } from '../plus/index.ts';
import { Worker } from './worker.ts';

/** Options of an endpoint picker other than its configuration; the operator allows neither replicas nor mounts. */
export type EppBaseProps = Omit<ComponentOptions, 'replicas' | 'mounts' | 'modelCache' | 'sharedMemory'>;

/** Properties of an endpoint picker: its configuration is given here or in a ConfigMap, not both. */
export type EppProps = EppBaseProps &
  (
    | {
        /**
         * Configuration of the endpoint picker.
         * @default - picks the worker that holds most of the prompt's KV blocks
         */
        readonly config?: EndpointPickerConfig;
        readonly configMap?: undefined;
        readonly configMapKey?: undefined;
      }
    | {
        readonly config?: undefined;
        /** ConfigMap with the configuration. */
        readonly configMap: string | Pick<IConfigMap, 'name'>;
        /** Key of the ConfigMap. */
        readonly configMapKey: string;
      }
  );

const kvAware: EndpointPickerConfig = {
  plugins: [
    { type: 'single-profile-handler' },
    { name: 'picker', type: 'max-score-picker' },
    { name: 'dyn-kv', type: 'kv-aware-scorer' },
  ],
  schedulingProfiles: [{ name: 'default', plugins: [{ pluginRef: 'dyn-kv', weight: 1 }, { pluginRef: 'picker' }] }],
};

const pickerBlockSize = 16;

/** An endpoint picker: chooses a worker for each request of an inference gateway. */
export class Epp extends Component {
  private readonly props: EppProps;

  constructor(graph: DynamoGraph, name: string, props: EppProps) {
    super(graph, name, props);
    this.props = props;
  }

  /** Whether its `config` chooses workers by their KV blocks; false for a ConfigMap, whose content is unknown. */
  get picksByKvCache(): boolean {
    const { config = kvAware, configMap } = this.props;
    return configMap === undefined && config.plugins.some((p) => p.type.includes('kv-aware'));
  }

  protected derive(): Derived {
    const { graph, props } = this;
    const worker = graph.components.find((c) => c instanceof Worker);
    const blockSize = worker?.engine.blockSize ?? worker?.engine.defaultBlockSize;
    return {
      type: 'epp',
      image: graph.platform.image('frontend'),
      env: {
        ...(blockSize === undefined || (blockSize === pickerBlockSize && worker?.engine.blockSize === undefined)
          ? {}
          : { DYN_KV_BLOCK_SIZE: String(blockSize) }),
        ...(worker === undefined ? {} : { DYN_MODEL: worker.model.servedName }),
      },
      envFromSecret: graph.tokenSecretName,
      eppConfig:
        props.configMap === undefined
          ? { config: props.config ?? kvAware }
          : { configMapRef: { name: referencedName(props.configMap), key: props.configMapKey } },
    };
  }
}
