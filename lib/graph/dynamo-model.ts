import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { platformOf } from './chart.ts';
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

  constructor(scope: Construct, id: string, props: DynamoModelProps) {
    super(scope, id);
    this.name = id;
    const platform = platformOf(this);
    const object = new ApiObject(this, 'Default', {
      apiVersion: platform.apiVersion,
      kind: 'DynamoModel',
      metadata: { name: id },
      spec: {
        modelName: props.modelName,
        baseModelName: props.baseModelName,
        modelType: props.type ?? 'base',
        ...(props.uri === undefined ? {} : { source: { uri: props.uri } }),
      },
    });
    addChecks(this, () => findingsOf({ object, platform, suppressed: new Map() }));
  }
}
