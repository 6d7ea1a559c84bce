import { boolean, integer, list, object, required, string } from './dsl.ts';
import { condition } from './meta.ts';

/** Spec of a DynamoModel. */
export const spec = object('DynamoModelSpec', 'A model or adapter served by components that reference its base model.', {
  modelName: required(string('Full name of the model, such as `Qwen/Qwen3-0.6B`.')),
  baseModelName: required(string('Base model whose endpoints serve this one. Cannot be changed after creation.')),
  modelType: string('Whether this is a base model or an adapter. Cannot be changed after creation.', {
    default: 'base',
    enum: ['base', 'lora', 'adapter'],
  }),
  source: object('ModelSource', 'Location of the weights of an adapter.', {
    uri: required(string('Address of the weights: `s3://BUCKET/PATH` or `hf://ORG/MODEL@REVISION`.')),
  }),
});

/** Status of a DynamoModel. */
export const status = object('DynamoModelStatus', 'Observed endpoints of the model.', {
  endpoints: list(
    object('EndpointInfo', 'One pod that serves the model.', {
      address: required(string('Address of the pod, such as `http://10.0.1.5:9090`.')),
      podName: string('Name of the pod.'),
      ready: required(boolean('Whether the adapter is loaded on the pod.')),
    }),
    { description: 'The pods that serve the model.' },
  ),
  readyEndpoints: required(integer('Number of ready endpoints.')),
  totalEndpoints: required(integer('Number of endpoints.')),
  conditions: list(condition, { description: 'Conditions of the model.' }),
});
