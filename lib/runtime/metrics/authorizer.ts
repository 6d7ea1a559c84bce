/** Decides who may read the metrics: the API server says who a token is, and whether that user may get `/metrics`. */
import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../clock.ts';

/** The answer to a reader: the HTTP status, and a message if access is refused. */
type Verdict = { readonly status: 200 } | { readonly status: 401 | 403; readonly message: string };

interface Remembered {
  readonly verdict: Verdict;
  readonly until: number;
}

const allowedForMs = 60_000;
const refusedForMs = 10_000;
const remembered = 1000;

/** Asks the API server about bearer tokens and remembers the answers for a short while. */
export class MetricsAuthorizer {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #verdicts = new Map<string, Remembered>();

  constructor(transport: Transport, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
  }

  /** Judges the `Authorization` header of a request for a path; throws when the API server cannot be asked. */
  async judge(header: string | undefined, path: string): Promise<Verdict> {
    const token = /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
    if (token === undefined) return { status: 401, message: 'Unauthorized' };
    // The token itself is kept nowhere.
    const key = createHash('sha256').update(`${path}\n${token}`).digest('hex');
    const known = this.#verdicts.get(key);
    if (known !== undefined && this.#clock.now() < known.until) return known.verdict;
    const verdict = await this.#ask(token, path);
    const until = this.#clock.now() + (verdict.status === 200 ? allowedForMs : refusedForMs);
    this.#verdicts.delete(key);
    this.#verdicts.set(key, { verdict, until });
    const [oldest] = this.#verdicts.keys();
    if (this.#verdicts.size > remembered && oldest !== undefined) this.#verdicts.delete(oldest);
    return verdict;
  }

  async #ask(token: string, path: string): Promise<Verdict> {
    const review = await this.#create('authentication.k8s.io/v1', 'TokenReview', { token });
    const user = review['user'];
    if (review['authenticated'] !== true || !isObject(user)) return { status: 401, message: 'Unauthorized' };
    const { username, ...rest } = user;
    const access = await this.#create('authorization.k8s.io/v1', 'SubjectAccessReview', {
      ...pick(rest, ['uid', 'groups', 'extra']),
      user: username,
      nonResourceAttributes: { path, verb: 'get' },
    });
    if (access['allowed'] === true && access['denied'] !== true) return { status: 200 };
    return { status: 403, message: `Authorization denied for user ${typeof username === 'string' ? username : ''}` };
  }

  async #create(apiVersion: string, kind: string, spec: Readonly<Record<string, Json | undefined>>): Promise<JsonObject> {
    const defined = Object.fromEntries(
      Object.entries(spec).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    );
    const path = `/apis/${apiVersion}/${kind.toLowerCase()}s`;
    const body = { apiVersion, kind, spec: defined };
    const answer = await this.#transport.request({ method: 'POST', path, body, timeoutMs: 5_000 });
    const status = isObject(answer.body) ? answer.body['status'] : undefined;
    return isObject(status) ? status : {};
  }
}

function pick(object: JsonObject, names: readonly string[]): Readonly<Record<string, Json | undefined>> {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}
