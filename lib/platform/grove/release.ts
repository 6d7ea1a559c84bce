import { objectAt, type JsonObject } from '../../json/index.ts';
import { atPath } from '../go-values.ts';
import type { PlatformContext } from '../platform-context.ts';
import { chartVersion } from './defaults.ts';

/** The values, context and labels that the objects of Grove share. */
export interface GroveRelease {
  readonly values: JsonObject;
  readonly context: PlatformContext;
  /** Labels every object has. */
  readonly commonLabels: JsonObject;
  /** Labels of the object whose block of the values has `labels`. */
  readonly labels: (block: string) => JsonObject;
}

/** Derives the labels from the effective values. */
export function groveRelease(values: JsonObject, context: PlatformContext): GroveRelease {
  const commonLabels = { chart: `grove-${chartVersion}`, release: context.release };
  return {
    values,
    context,
    commonLabels,
    labels: (block) => ({ ...commonLabels, ...objectAt(atPath(values, `${block}.labels`)) }),
  };
}
