import { portPolicy } from '../port-policy.ts';
import type { GaieRelease } from './release.ts';
import type { JsonObject } from '../../json/index.ts';

/** Who may call the endpoint picker: everybody in the cluster, on its own ports only. */
export function networkPolicy({ stem }: GaieRelease): JsonObject {
  return portPolicy(`${stem}-epp`, [9002, 9003, 9090]);
}
