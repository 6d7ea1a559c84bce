import { createHash } from 'node:crypto';
import type { ComponentSpec, DynamoComponentDeployment } from '../api/index.ts';
import { mergeStringMaps, type StringMap } from './child.ts';
import { annotation, label } from './label-keys.ts';

/** Eight hex characters that stand for a base model in labels and names. */
export function modelHash(model: string): string {
  return createHash('sha256').update(model).digest('hex').slice(0, 8);
}

/** The label that ties a component to its base model. */
export function modelLabel(component: ComponentSpec): StringMap {
  const model = component.modelRef?.name;
  return model ? { [label.baseModelHash]: modelHash(model) } : {};
}

/** Labels of every object of a component resource. */
export function componentLabels({ metadata, spec }: DynamoComponentDeployment): StringMap | undefined {
  return mergeStringMaps(spec?.labels, metadata.labels, modelLabel(spec ?? {}));
}

/** Annotations of the objects of a component resource that have any. */
export function componentAnnotations({ spec }: DynamoComponentDeployment): StringMap | undefined {
  const model = spec?.modelRef?.name;
  return mergeStringMaps(
    spec?.annotations,
    spec?.extraPodMetadata?.annotations,
    model ? { [annotation.baseModel]: model } : undefined,
  );
}
