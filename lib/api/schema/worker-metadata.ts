import { freeForm, object, required } from './dsl.ts';

/** Spec of a DynamoWorkerMetadata. */
export const spec = object('DynamoWorkerMetadataSpec', 'What a worker pod tells others about itself.', {
  data: required(freeForm('Discovery metadata as the worker wrote it.')),
});
