import type { DynamoGraphDeployment } from '../../api/index.ts';
import { sortedKeys } from '../../json/index.ts';
import { serviceObjectName } from '../../render/index.ts';

/**
 * The error about services whose names differ only in case: their objects have the same name, so each would overwrite the other in every pass. The
 * webhook accepts them.
 */
export function sharedName({ metadata, spec }: DynamoGraphDeployment): string | undefined {
  const seen = new Map<string, string>();
  for (const service of sortedKeys(spec?.services ?? {})) {
    const name = serviceObjectName(metadata.name ?? '', service);
    const first = seen.get(name);
    if (first !== undefined)
      return `spec.services[${service}]: its objects would be called ${name} like those of service ${first}: rename one of them`;
    seen.set(name, service);
  }
  return undefined;
}
