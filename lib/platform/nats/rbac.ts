import type { JsonObject } from '../../json/index.ts';
import { metadata, overlaid, type NatsRelease } from './release.ts';

/** The account the servers run as. */
export function serviceAccount(nats: NatsRelease): JsonObject {
  const document: JsonObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(nats, nats.names.serviceAccount) };
  return overlaid(nats, document, ['serviceAccount']);
}
