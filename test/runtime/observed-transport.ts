import { type ApiRequest, type ApiResponse, Transport } from '../../lib/runtime/api/transport.ts';
import type { RunningExchange } from '../../lib/runtime/api/exchange.ts';

/** A transport that tells a test what the network has delivered: a clock must not be moved before that. */
export class ObservedTransport extends Transport {
  #underWay = 0;
  #heard = 0;

  /** Calls that have not ended. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Bytes that streams have received, and their readers have read. */
  get heard(): number {
    return this.#heard;
  }

  override async request(request: ApiRequest, signal?: AbortSignal): Promise<ApiResponse> {
    this.#underWay += 1;
    try {
      return await super.request(request, signal);
    } finally {
      this.#underWay -= 1;
    }
  }

  override stream(request: ApiRequest, onChunk: (chunk: Buffer) => void, signal?: AbortSignal): Promise<RunningExchange> {
    const observe = (chunk: Buffer): void => {
      onChunk(chunk);
      this.#heard += chunk.length;
    };
    return super.stream(request, observe, signal);
  }
}
