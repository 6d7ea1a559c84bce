import { ConnectionError } from './errors.ts';

/** Longer than any object the API server stores: a stream without line ends must not fill the memory. */
const longestFrame = 64 << 20;

/** Splits a stream of bytes into lines. Only whole lines are decoded, so chunks may end inside a character. */
export class FrameDecoder {
  readonly #onFrame: (frame: Buffer) => void;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(onFrame: (frame: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Whether the stream stopped inside a line. */
  get isCut(): boolean {
    return this.#length > 0;
  }

  #keep(rest: Buffer): void {
    this.#parts.push(rest);
    this.#length += rest.length;
    if (this.#length > longestFrame)
      throw new ConnectionError('cut_off', `a line of the watch is longer than ${longestFrame} bytes`);
  }

  #finish(last: Buffer): void {
    const frame = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#length = 0;
    if (frame.length > 0) this.#onFrame(frame);
  }
}
