import { type JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString } from '../go-values.ts';
import { chartVersion } from './defaults.ts';

/** The values of KAI and the context of the platform. */
export interface KaiRelease {
  readonly values: JsonObject;
  readonly context: PlatformContext;
}

/** Registry and path of all images. */
function registry({ values }: KaiRelease): string {
  return templateString(atPath(values, 'global.registry'));
}

/** Repository of the components that the operator deploys: the registry, rewritten like that of a single image. */
export function repository(kai: KaiRelease): string {
  const given = registry(kai);
  return given.includes('/') ? kai.context.image(given) : given;
}

/** Image reference of a component's `image` block, or of any name. */
export function imageNamed(kai: KaiRelease, name: string): string {
  return kai.context.image(`${registry(kai)}/${name}:${chartVersion}`);
}
