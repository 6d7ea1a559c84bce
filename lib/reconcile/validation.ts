import { admit } from '../admission/index.ts';
import type { JsonObject } from '../json/index.ts';

/** What the rules of admission say against a stored resource, in the webhook's words; nothing where it is valid. */
export function validationError(resource: JsonObject): string | undefined {
  const { issues } = admit({ operation: 'CREATE', object: resource });
  return issues.length === 0 ? undefined : issues.map((issue) => issue.text).join('\n');
}
