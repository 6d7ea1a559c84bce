/** Links objects to the base model they serve. The link is a hash, since most model names contain `/` and are not valid label values. */
import { createHash } from 'node:crypto';
import type { ComponentSpec } from '../api/index.ts';
import type { StringMap } from './child.ts';
import { label } from './label-keys.ts';

/** The hash of a base model for labels and names: the first 8 hex digits of the SHA-256 of its name. */
export function modelHash(model: string): string {
  return createHash('sha256').update(model).digest('hex').slice(0, 8);
}

/** The label that links a component to its base model. */
export function modelLabel(component: ComponentSpec): StringMap {
  const model = component.modelRef?.name;
  return model ? { [label.baseModelHash]: modelHash(model) } : {};
}
