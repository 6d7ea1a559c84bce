import type { Issue } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import { atPath, truthy, type Value } from './go-values.ts';
import type { PlatformContext } from './platform-context.ts';

/** Values with the settings that a block `security` stands for; the issues name missing Secrets. */
export interface SecuredValues {
  readonly values: JsonObject;
  readonly issues: readonly Issue[];
}

/** Adds the settings of one entry of the block, such as `tls`, to the values. */
type AddSettings = (values: JsonObject, entry: Value) => JsonObject;

/** Applies the enabled entries of the block `security` of a part; each takes its keys or passwords from a Secret. */
export function applySecurityBlock(
  part: string,
  values: JsonObject,
  context: PlatformContext,
  entries: Readonly<Record<string, AddSettings>>,
): SecuredValues {
  const issues: Issue[] = [];
  let result = values;
  for (const [name, addSettings] of Object.entries(context.switches['security-blocks'] ? entries : {})) {
    const entry = atPath(values, 'security', name);
    if (!truthy(atPath(entry, 'enabled'))) continue;
    if (truthy(atPath(entry, 'secretName'))) result = addSettings(result, entry);
    else issues.push({ path: [part, 'security', name, 'secretName'], code: 'required', message: 'must name the Secret to use' });
  }
  return { values: result, issues };
}
