/** Workers at addresses of pods: one server for the whole range, which tells them apart by the address that was called. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One call that a worker got. */
export interface Call {
  readonly to: string;
  readonly request: string;
  readonly body: string;
}

/** What a worker does with a call. */
export type Behaviour = (call: Call, response: ServerResponse, socket: Socket) => void;

/** A worker that loads, unloads and lists as the public runtime does. */
export function healthy(): Behaviour {
  const loaded = new Map<string, number>();
  return ({ request, body }, response) => {
    const [method = '', path = ''] = request.split(' ');
    if (method === 'POST') loaded.set((JSON.parse(body) as { readonly lora_name: string }).lora_name, loaded.size + 1);
    if (method === 'DELETE') loaded.delete(decodeURIComponent(path.slice('/v1/loras/'.length)));
    response.end(JSON.stringify({ status: 'success', loras: Object.fromEntries(loaded), count: loaded.size }));
  };
}

/** The port on which workers take orders. */
const port = 9090;

/** All workers of a test. */
export class WorkerRange {
  readonly calls: Call[] = [];
  /** The most connections there were at once. */
  mostConnections = 0;
  /** Whether two calls were ever under way for one worker and adapter. */
  overlaps = 0;
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #underWay = new Set<string>();
  readonly #server: Server;
  #connections = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('connection', (socket) => {
      this.mostConnections = Math.max(this.mostConnections, ++this.#connections);
      socket.on('close', () => this.#connections--);
      // An address without a worker is one that refuses.
      if (!this.#behaviours.has(socket.localAddress ?? '')) socket.destroy();
    });
  }

  /** Opens the range. */
  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '0.0.0.0', resolve));
  }

  /** Puts a worker at an address. */
  set(address: string, behaviour: Behaviour): void {
    this.#behaviours.set(address, behaviour);
  }

  /** Forgets workers and calls. */
  clear(): void {
    this.#behaviours.clear();
    this.calls.length = 0;
    this.mostConnections = 0;
    this.overlaps = 0;
  }

  /** Closes the range. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const to = request.socket.localAddress ?? '';
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const call = { to, request: `${request.method} ${request.url}`, body };
    this.calls.push(call);
    const name =
      request.method === 'POST' ? (JSON.parse(body) as { readonly lora_name: string }).lora_name : request.url?.slice(10);
    const key = `${to} ${name}`;
    if (request.method !== 'GET') {
      if (this.#underWay.has(key)) this.overlaps++;
      this.#underWay.add(key);
      response.on('close', () => this.#underWay.delete(key));
    }
    this.#behaviours.get(to)?.(call, response, request.socket);
  }
}
