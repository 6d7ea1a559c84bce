import { admit } from '../admission/index.ts';
import type { JsonObject } from '../json/index.ts';

/** The admission rules that a stored resource breaks, in the webhook's words; undefined where it is valid. */
export function validationError(resource: JsonObject): string | undefined {
  const { issues } = admit({ operation: 'CREATE', object: resource });
  return issues.length === 0 ? undefined : issues.map((issue) => issue.text).join('\n');
}
