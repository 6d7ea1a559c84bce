import { createReadStream } from 'node:fs';

/** All bytes of a stream; undefined as soon as there are more than the limit, and then no more is read. */
export async function readStream(stream: AsyncIterable<unknown>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('a stream of bytes holds something else');
    size += bytes.length;
    if (size > limit) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** All bytes of a file, a device or a pipe; undefined where there are more than the limit, which are not read. */
export async function readFileBounded(path: string, limit: number): Promise<Uint8Array | undefined> {
  return await readStream(createReadStream(path, { highWaterMark: 1 << 20 }), limit);
}
