import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { DynamoModel as DynamoModelResource } from '../../imports/nvidia.com.ts';
import { platformOf } from './chart.ts';
import { keepManifest } from './resource.ts';
import { addChecks, findingsOf } from './validation.ts';

/** Location of an adapter's files: S3 or Hugging Face. */
export type ModelUri = `s3://${string}` | `hf://${string}`;

/** Properties of an adapter added to a graph. */
export interface LoraProps {
  /** Name that clients use in requests. */
  readonly modelName: string;
  /** Location of the adapter's files. */
  readonly uri: ModelUri;
}

/** Properties of `DynamoModel`; an adapter requires `uri`, a base model has none. */
export type DynamoModelProps = {
  /** Name that clients use in requests. */
  readonly modelName: string;
  /** Name of the model that the workers serve, equal to their `modelRef`. */
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

/** A model, or an adapter that the operator loads into running workers. */
export class DynamoModel extends Construct {
  /** Name of the object. */
  readonly name: string;
  /** The custom resource; its manifest keeps fields that the generated class does not define. */
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
