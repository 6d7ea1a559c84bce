const encoder = new TextEncoder();

/** Length of a string in UTF-8 bytes, which is what Go's `len` returns and Kubernetes limits. */
export function byteLength(value: string): number {
  return encoder.encode(value).length;
}
