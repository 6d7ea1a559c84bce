/** Secrets as the kubelet mounts them: one file for each key. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringMapAt, type JsonObject } from '../../lib/json/index.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';

/** The content of a Secret by key. */
export async function readSecret({ client }: Cluster, namespace: string, name: string): Promise<ReadonlyMap<string, Buffer>> {
  const key = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name } };
  const secret = succeeded<JsonObject>(await client.get<JsonObject>(key));
  return new Map(Object.entries(stringMapAt(secret, 'data')).map(([file, content]) => [file, Buffer.from(content, 'base64')]));
}

/** Writes the content of a Secret into a folder. */
export async function mountSecret(content: ReadonlyMap<string, Buffer>, folder: string): Promise<void> {
  for (const [file, bytes] of content) await writeFile(join(folder, file), bytes);
}
