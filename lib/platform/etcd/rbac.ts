import type { JsonObject } from '../../json/index.ts';
import { atPath } from '../go-values.ts';
import { metadata, serviceAccountName, type EtcdRelease } from './release.ts';

/** The account the members run as. */
export function serviceAccount(etcd: EtcdRelease): JsonObject {
  const block = atPath(etcd.values, 'serviceAccount');
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: metadata(etcd, {
      name: serviceAccountName(etcd),
      labels: atPath(block, 'labels'),
      annotations: atPath(block, 'annotations'),
    }),
    automountServiceAccountToken: atPath(block, 'automountServiceAccountToken'),
  };
}
