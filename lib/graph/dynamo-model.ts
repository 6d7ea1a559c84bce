import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { DynamoModel as DynamoModelResource } from '../../imports/nvidia.com.ts';
import { platformOf } from './chart.ts';
import { keepManifest } from './resource.ts';
import { addChecks, findingsOf } from './validation.ts';

/** Where an adapter's files are; workers read S3 and Hugging Face. */
export type ModelUri = `s3://${string}` | `hf://${string}`;

/** Properties of an adapter added to a graph. */
export interface LoraProps {
  /** Name clients ask for. */
  readonly modelName: string;
  /** Where the adapter's files are. */
  readonly uri: ModelUri;
}

/** Properties of `DynamoModel`: an adapter needs its files' address, a base model has none. */
export type DynamoModelProps = {
  /** Name clients ask for. */
  readonly modelName: string;
  /** Name of the model the workers serve, as their `modelRef` says. */
  readonly baseModelName: string;
} & (
  | {
      /**
       * Kind of model.
       * @default 'base'
       */
      readonly type?: 'base';
      readonly uri?: undefined;
    }
  | { readonly type: 'lora' | 'adapter'; readonly uri: ModelUri }
);

/** A model or adapter that running workers are told to load. */
export class DynamoModel extends Construct {
  /** Name of the object. */
  readonly name: string;
  /** The custom resource; its manifest is written as it is, whatever the class knows of it. */
  readonly resource: DynamoModelResource;

  constructor(scope: Construct, id: string, props: DynamoModelProps) {
    super(scope, id);
    this.name = id;
    const platform = platformOf(this);
    const spec = {
      modelName: props.modelName,
      baseModelName: props.baseModelName,
      modelType: props.type ?? 'base',
      ...(props.uri === undefined ? {} : { source: { uri: props.uri } }),
    };
    this.resource = keepManifest(
      new DynamoModelResource(this, 'Default', { metadata: { name: id }, spec: Lazy.any({ produce: () => spec }) }),
    );
    addChecks(this, () => findingsOf({ object: this.resource, platform, suppressed: new Map() }));
  }
}
