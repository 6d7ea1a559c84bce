import { createReadStream } from 'node:fs';

/** Reads a stream. Returns undefined, and stops reading, once it exceeds the limit in bytes. */
export async function readStream(stream: AsyncIterable<unknown>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('stream must yield strings or bytes');
    size += bytes.length;
    if (size > limit) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Reads a file, device or pipe; stops and returns undefined once the input exceeds the limit in bytes. */
export async function readFileBounded(path: string, limit: number): Promise<Uint8Array | undefined> {
  return await readStream(createReadStream(path, { highWaterMark: 1 << 20 }), limit);
}
