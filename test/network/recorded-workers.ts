/** The workers of the recording over real HTTP, one server at each address: healthy, failing, slow, lying; the fifth refuses, since nobody listens. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { JsonObject } from '../../lib/json/index.ts';
import type { EffectResult } from '../../lib/reconcile/index.ts';
import type { Workers } from '../live/model-steps.ts';

const listening = [1, 2, 3, 4, 6];
const healthy: EffectResult = { ok: true, status: 200, body: '{"status":"success"}' };

/** Workers that note every call. */
export class RecordedWorkers {
  readonly #servers: readonly Server[];
  #calls: JsonObject[] = [];
  #answers: Workers = {};
  #underWay = 0;

  constructor() {
    this.#servers = listening.map((number) => createServer((request, response) => void this.#answer(number, request, response)));
  }

  /** Calls under way, and those that have come. */
  get activity(): { readonly underWay: number; readonly calls: number } {
    return { underWay: this.#underWay, calls: this.#calls.length };
  }

  /** Begins to listen. */
  async open(): Promise<void> {
    for (const [index, server] of this.#servers.entries())
      await once(server.listen(9090, `10.77.0.${listening[index]}`), 'listening');
  }

  /** Has some workers answer otherwise from now on. */
  change(workers: Workers): void {
    this.#answers = { ...this.#answers, ...workers };
  }

  /** The calls since the last time. */
  take(): readonly JsonObject[] {
    const taken = this.#calls;
    this.#calls = [];
    return taken;
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #answer(number: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay += 1;
    response.on('close', () => (this.#underWay -= 1));
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const type = request.headers['content-type'];
    const to = `10.77.0.${number}`;
    this.#calls.push({ to, request: `${request.method} ${request.url}`, ...(type !== undefined && { type }), body });
    const answer = this.#answers[number] ?? healthy;
    // The recorded workers know no list of adapters. One without an answer is slow.
    if (request.method === 'GET') response.writeHead(404).end();
    else if (answer.ok) response.writeHead(answer.status ?? 200).end(answer.body);
  }
}
