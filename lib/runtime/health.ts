/** Answers liveness and readiness probes in the words of the original. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { sortedKeys } from '../json/index.ts';
import type { Logger } from './logger.ts';

/** A check: what is wrong, or undefined when healthy. */
type HealthCheck = () => string | undefined;

/** Checks by name. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

/** One answer to a probe. */
interface ProbeAnswer {
  readonly status: number;
  readonly body: string;
}

const notFound: ProbeAnswer = { status: 404, body: '404 page not found\n' };

/** Answers `/healthz`, `/readyz` and their single checks. The checks run for every request. */
export function answerProbe(url: string, liveness: HealthChecks, readiness: HealthChecks, log: Logger): ProbeAnswer {
  if (!URL.canParse(url, 'http://probe')) return notFound;
  const { pathname, searchParams } = new URL(url, 'http://probe');
  const [, root = '', name = '', ...more] = pathname.split('/');
  const checks = root === 'healthz' ? liveness : root === 'readyz' ? readiness : undefined;
  if (checks === undefined || more.length > 0) return notFound;
  if (name === '') return answerAll(checks, searchParams.getAll('exclude'), searchParams.has('verbose'), log);
  const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
  if (check === undefined) return notFound;
  const problem = check();
  return problem === undefined ? { status: 200, body: 'ok' } : { status: 500, body: `internal server error: ${problem}\n` };
}

function answerAll(checks: HealthChecks, excluded: readonly string[], verbose: boolean, log: Logger): ProbeAnswer {
  const names = sortedKeys(checks);
  const problems = new Map(names.filter((name) => !excluded.includes(name)).map((name) => [name, checks[name]?.()] as const));
  const failed = [...problems].filter(([, problem]) => problem !== undefined);
  if (failed.length === 0 && !verbose) return { status: 200, body: 'ok' };
  const lines = names.map((name) => {
    if (!problems.has(name)) return `[+]${name} excluded: ok`;
    return problems.get(name) === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
  });
  const unknown = excluded.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${unknown.map((name) => JSON.stringify(name)).join(',')}`,
    );
  if (failed.length > 0) log.debug('healthz check failed', { statuses: Object.fromEntries(failed) });
  lines.push(failed.length > 0 ? 'healthz check failed' : 'healthz check passed');
  return { status: failed.length > 0 ? 500 : 200, body: `${lines.join('\n')}\n` };
}

/** The server of probes; not listening yet. */
export function createProbeServer(liveness: HealthChecks, readiness: HealthChecks, log: Logger): Server {
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 5_000 },
    (request: IncomingMessage, response: ServerResponse) => {
      const { status, body } = answerProbe(request.url ?? '/', liveness, readiness, log);
      request.resume();
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }).end(body);
    },
  );
  return server;
}
