import type { DynamoGraphDeployment } from '../../api/index.ts';
import { sortedKeys } from '../../json/index.ts';
import { serviceObjectName } from '../../render/index.ts';

/**
 * What is wrong with services whose names differ in nothing but case: their objects have one name, and each would be written over the other for
 * ever. Admission lets them pass.
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
