/** How objects are tied to the base model they serve: by a hash, since names of models are no label values. */
import { createHash } from 'node:crypto';
import type { ComponentSpec } from '../api/index.ts';
import type { StringMap } from './child.ts';
import { label } from './label-keys.ts';

/** Eight hex characters that stand for a base model in labels and names. */
export function modelHash(model: string): string {
  return createHash('sha256').update(model).digest('hex').slice(0, 8);
}

/** The label that ties a component to its base model. */
export function modelLabel(component: ComponentSpec): StringMap {
  const model = component.modelRef?.name;
  return model ? { [label.baseModelHash]: modelHash(model) } : {};
}
