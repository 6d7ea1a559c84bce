import { portPolicy } from '../port-policy.ts';
import type { GaieRelease } from './release.ts';
import type { JsonObject } from '../../json/index.ts';

/** A NetworkPolicy that admits all pods of the cluster to the ports of the endpoint picker. */
export function networkPolicy({ stem }: GaieRelease): JsonObject {
  return portPolicy(`${stem}-epp`, [9002, 9003, 9090]);
}
