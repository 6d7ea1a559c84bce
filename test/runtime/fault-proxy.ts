/**
 * A proxy in front of a real API server that breaks things on purpose: answers of its own, lost answers, cut, frozen and slow streams.
 *
 * Clients reach it over plain HTTP with their own credentials. Faults are named per request or done to streams that are open.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** A request as it came to the proxy. */
export interface SeenRequest {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isWatch: boolean;
}

/** What happens to a request. */
export type Fault =
  /** The proxy answers itself, with a `Status`; the API server never sees the request. */
  | {
      readonly answer: number;
      readonly reason?: string;
      readonly message?: string;
      readonly retryAfter?: number;
      readonly details?: object;
    }
  /** The proxy answers itself, as if all were well, with that JSON. */
  | { readonly reply: unknown }
  /** The proxy answers itself with a page that knows nothing of Kubernetes. */
  | { readonly page: number }
  /** The connection ends before the API server sees the request. */
  | { readonly drop: 'request' }
  /** The API server does what is asked, and the connection ends before the answer. */
  | { readonly drop: 'answer' }
  /** The answer ends, without saying so, after so many bytes of its body. */
  | { readonly cutAfter: number }
  /** The answer stops after so many bytes of its body; the connection stays open. */
  | { readonly freezeAfter: number }
  /** The body comes in pieces of so many bytes, one a turn, or with so much time in between. */
  | { readonly pieces: number; readonly pauseMs?: number }
  /** Each line of the body becomes other lines. */
  | { readonly lines: (line: string) => readonly string[] }
  /** The answer waits for a promise. */
  | { readonly until: Promise<unknown> };

/** Which requests. */
export type Matches = (request: SeenRequest) => boolean;

interface Rule {
  readonly matches: Matches;
  readonly fault: Fault;
  left: number;
}

interface Stream {
  readonly request: SeenRequest;
  readonly response: ServerResponse;
  isFrozen: boolean;
}

/** Watches of a kind, by its plural. */
export const watchesOf =
  (plural: string): Matches =>
  ({ isWatch, path }) =>
    isWatch && path.endsWith(`/${plural}`);

/** Requests of a method, to a kind if one is named by its plural. */
export const calls =
  (method: string, plural = ''): Matches =>
  (request) =>
    request.method === method && !request.isWatch && request.path.includes(plural);

/** A running proxy. */
export class FaultProxy {
  /** Where clients connect. */
  readonly url: string;
  /** All requests so far. */
  readonly requests: SeenRequest[] = [];
  readonly #server: Server;
  readonly #target: URL;
  readonly #agent: Agent;
  readonly #streams = new Set<Stream>();
  readonly #rules: Rule[] = [];
  readonly #waiting = new Set<() => void>();
  #answered: (request: SeenRequest, status: number) => void = () => {};
  #pause: Promise<void> | undefined;
  #underWay = 0;
  #abandoned = 0;

  private constructor(server: Server, target: string, ca: string) {
    this.#server = server;
    this.#target = new URL(target);
    this.#agent = new Agent({ ca, keepAlive: true });
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    server.on('request', (request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  /** Starts a proxy in front of an API server. */
  static async start({ server, ca }: { readonly server: string; readonly ca: string }): Promise<FaultProxy> {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new FaultProxy(listener, server, ca);
  }

  /** Connections that clients hold open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  /** Calls, not watches, that have not ended for their client. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Calls, not watches, that ended without a whole answer and were not dropped here: most of them given up by their client. */
  get abandoned(): number {
    return this.#abandoned;
  }

  /** Lets a fault happen to the next requests that match, once unless told otherwise. */
  inject(matches: Matches, fault: Fault, times = 1): void {
    this.#rules.push({ matches, fault, left: times });
  }

  /** Ends all injected faults. */
  heal(): void {
    this.#rules.length = 0;
  }

  /** Calls a function when the API server has answered a request and the client does not know it yet. */
  onAnswer(listener: (request: SeenRequest, status: number) => void): void {
    this.#answered = listener;
  }

  /** Nothing passes in either direction, and nothing is lost, until the function returned is called. */
  pause(): () => void {
    let resume = (): void => {};
    this.#pause = new Promise((resolve) => {
      resume = () => {
        this.#pause = undefined;
        resolve();
      };
    });
    return resume;
  }

  /** Ends open streams without a word, as a broken network does; returns how many. */
  cut(matches: Matches): number {
    return this.#each(matches, ({ response }) => response.destroy());
  }

  /** Ends open streams in good order, as the API server does at their time; returns how many. */
  end(matches: Matches): number {
    return this.#each(matches, ({ response }) => response.end());
  }

  /** Makes open streams silent without closing them: half-open connections. Returns how many. */
  freeze(matches: Matches): number {
    return this.#each(matches, (stream) => {
      stream.isFrozen = true;
    });
  }

  /** Says something on open streams, such as an error event; returns how many. */
  say(matches: Matches, text: string): number {
    return this.#each(matches, ({ response }) => response.write(text));
  }

  /** Streams that are open. */
  open(matches: Matches): number {
    return this.#each(matches, () => {});
  }

  /** Resolves when a condition holds; looked at after every request and every stream's begin and end. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Ends it with all its connections. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#agent.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', this.url);
    const isWatch = url.searchParams.get('watch') === 'true';
    const request: SeenRequest = { method: incoming.method ?? 'GET', path: url.pathname, query: url.searchParams, isWatch };
    this.requests.push(request);
    const fault = this.#take(request);
    if (!isWatch) this.#countCall(response, fault !== undefined && 'drop' in fault);
    this.#notify();
    await this.#pause;
    if (fault !== undefined && 'drop' in fault && fault.drop === 'request') incoming.socket.destroy();
    else if (fault !== undefined && 'answer' in fault) sendStatus(response, fault);
    else if (fault !== undefined && 'reply' in fault) sendJson(response, fault.reply);
    else if (fault !== undefined && 'page' in fault) sendPage(response, fault.page);
    else await this.#forward(incoming, response, request, fault);
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse, request: SeenRequest, fault?: Fault): Promise<void> {
    const outgoing = httpsRequest(new URL(incoming.url ?? '/', this.#target), {
      method: request.method,
      headers: { ...incoming.headers, host: this.#target.host },
      agent: this.#agent,
    });
    incoming.pipe(outgoing);
    response.once('close', () => outgoing.destroy());
    const [answer]: IncomingMessage[] = await once(outgoing, 'response');
    if (answer === undefined) return;
    this.#answered(request, answer.statusCode ?? 502);
    if (fault !== undefined && 'drop' in fault) {
      answer.destroy();
      incoming.socket.destroy();
      return;
    }
    if (fault !== undefined && 'until' in fault) await fault.until;
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    const stream: Stream = { request, response, isFrozen: false };
    this.#streams.add(stream);
    this.#notify();
    // Upstream's end of a broken stream is of no interest: the client's side decides.
    answer.on('error', () => {});
    try {
      const body = fault !== undefined && 'lines' in fault ? changedLines(answer, fault.lines) : answer;
      await passOn(body, stream, fault, () => this.#pause);
    } finally {
      this.#streams.delete(stream);
      this.#notify();
    }
  }

  #countCall(response: ServerResponse, isDropped: boolean): void {
    this.#underWay += 1;
    response.once('close', () => {
      this.#underWay -= 1;
      if (!response.writableFinished && !isDropped) this.#abandoned += 1;
      this.#notify();
    });
  }

  #take(request: SeenRequest): Fault | undefined {
    const rule = this.#rules.find(({ matches, left }) => left > 0 && matches(request));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    return rule.fault;
  }

  #each(matches: Matches, act: (stream: Stream) => void): number {
    const found = [...this.#streams].filter(({ request, response }) => isOpen(response) && matches(request));
    for (const stream of found) act(stream);
    return found.length;
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

// A stream that was ended stays known until both sides have noticed.
function isOpen(response: ServerResponse): boolean {
  return !response.destroyed && !response.writableEnded;
}

async function* changedLines(answer: IncomingMessage, change: (line: string) => readonly string[]): AsyncGenerator<Buffer> {
  for await (const line of createInterface(answer)) for (const one of change(line)) yield Buffer.from(`${one}\n`);
}

async function passOn(
  answer: AsyncIterable<unknown>,
  stream: Stream,
  fault: Fault | undefined,
  pause: () => Promise<void> | undefined,
): Promise<void> {
  const { response } = stream;
  const limit =
    fault !== undefined && 'cutAfter' in fault
      ? fault.cutAfter
      : fault !== undefined && 'freezeAfter' in fault
        ? fault.freezeAfter
        : Infinity;
  const { pieces: size = Infinity, pauseMs = 0 } = fault !== undefined && 'pieces' in fault ? fault : {};
  let sent = 0;
  for await (const chunk of answer) {
    await pause();
    if (!(chunk instanceof Buffer) || response.destroyed) break;
    const bytes = chunk.subarray(0, Math.max(0, limit - sent));
    sent += chunk.length;
    for (let start = 0; start < bytes.length && !stream.isFrozen && !response.destroyed; start += size) {
      response.write(bytes.subarray(start, start + size));
      if (size !== Infinity) await (pauseMs === 0 ? setImmediate() : setTimeout(pauseMs));
    }
    if (sent >= limit && fault !== undefined && 'cutAfter' in fault) {
      response.destroy();
      return;
    }
    if (sent >= limit) stream.isFrozen = true;
  }
  if (stream.isFrozen) await once(response, 'close');
  else response.end();
}

function sendStatus(
  response: ServerResponse,
  { answer, reason = '', message = 'injected', retryAfter, details }: Extract<Fault, { answer: number }>,
): void {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: answer, reason, message, details };
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  response.writeHead(answer, { 'content-type': 'application/json', ...wait }).end(JSON.stringify(status));
}

function sendPage(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html>\n<title>Back soon</title>\n');
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
