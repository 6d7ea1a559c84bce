import type { DynamoComponentDeployment } from '../api/index.ts';
import { modelLabel } from './base-model.ts';
import { mergeStringMaps, type StringMap } from './child.ts';
import { annotation } from './label-keys.ts';

/** Labels of the objects of a DynamoComponentDeployment. */
export function componentLabels({ metadata, spec }: DynamoComponentDeployment): StringMap | undefined {
  return mergeStringMaps(spec?.labels, metadata.labels, modelLabel(spec ?? {}));
}

/** Annotations of the Deployments and Services of a DynamoComponentDeployment. */
export function componentAnnotations({ spec }: DynamoComponentDeployment): StringMap | undefined {
  const model = spec?.modelRef?.name;
  return mergeStringMaps(
    spec?.annotations,
    spec?.extraPodMetadata?.annotations,
    model ? { [annotation.baseModel]: model } : undefined,
  );
}
