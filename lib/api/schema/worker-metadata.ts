import { freeForm, object, required } from './dsl.ts';

/** Spec of a DynamoWorkerMetadata. */
export const spec = object('DynamoWorkerMetadataSpec', 'Metadata that a worker pod publishes.', {
  data: required(freeForm('Discovery metadata as the worker wrote it.')),
});
