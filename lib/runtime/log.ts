/**
 * The operator's log: one JSON object a line on standard error with the keys of the original (`level ts logger msg`), or lines for
 * people. The `--zap-*` flags keep their meaning; unlike the original, JSON at info level is the default.
 */
import { pino, type DestinationStream, type LevelWithSilent } from 'pino';
import type { LogFields, Logger } from './logger.ts';
import type { LogOptions } from './options.ts';

/** A logger that makes others of a name or with fields of their own. */
export interface Log extends Logger {
  /** A logger whose name is added to this one's after a dot. */
  readonly named: (name: string) => Log;
  /** A logger that adds fields to every line. */
  readonly with: (fields: LogFields) => Log;
}

/** Output and clock of the log. */
interface LogTarget {
  readonly write: (line: string) => void;
  readonly date: () => Date;
}

const stackTraceFrom: Readonly<Record<string, readonly string[]>> = {
  info: ['info', 'error', 'fatal'],
  error: ['error', 'fatal'],
  panic: ['fatal'],
};

/** Makes the root logger as the flags say. */
export function createLog(options: LogOptions, target: LogTarget): Log {
  const encoder = options.encoder ?? (options.development ? 'console' : 'json');
  const destination: DestinationStream = {
    write: encoder === 'console' ? (line) => target.write(consoleLine(line)) : target.write,
  };
  const root = pino(
    {
      level: pinoLevel(options.level ?? (options.development ? 'debug' : 'info')),
      base: null,
      messageKey: 'msg',
      errorKey: 'error',
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"ts":${formatTime(target.date(), options.timeEncoding)}`,
    },
    destination,
  );
  const traced = stackTraceFrom[options.stackTraceLevel ?? 'error'] ?? [];
  const make = (name: string, bound: LogFields): Log => {
    const lineOf = (msg: string, fields: LogFields): Record<string, unknown> => {
      const line: Record<string, unknown> = name === '' ? { msg } : { logger: name, msg };
      addPlain(line, bound);
      addPlain(line, fields);
      return line;
    };
    return {
      debug: (message, fields = {}) => root.debug(lineOf(message, fields)),
      info: (message, fields = {}) => {
        const line = lineOf(message, fields);
        if (traced.includes('info')) line['stacktrace'] = callerStack();
        root.info(line);
      },
      error: (message, error, fields = {}) => {
        const stack = error instanceof Error ? error.stack : undefined;
        const shown = error === undefined ? {} : { error: messageOf(error) };
        const trace = traced.includes('error') && stack !== undefined ? { stacktrace: stack } : {};
        root.error({ ...lineOf(message, fields), ...shown, ...trace });
      },
      named: (child) => make(name === '' ? child : `${name}.${child}`, bound),
      with: (fields) => make(name, { ...bound, ...fields }),
    };
  };
  return make('', {});
}

function pinoLevel(level: string): LevelWithSilent {
  if (level === 'panic') return 'fatal';
  return level === 'info' || level === 'error' ? level : 'debug';
}

/** The message of an error, with its causes. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : messageOf(error.cause);
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

/** Adds fields to a line, errors as their messages. */
function addPlain(line: Record<string, unknown>, fields: LogFields): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    line[key] = value instanceof Error ? messageOf(value) : value;
  }
}

function callerStack(): string {
  return (new Error('here').stack ?? '').split('\n').slice(3).join('\n');
}

/** A time as zap's encoders write it, ready to stand in JSON. */
export function formatTime(date: Date, encoding: string): string {
  const iso = date.toISOString();
  switch (encoding) {
    case 'epoch':
      return String(date.getTime() / 1000);
    case 'millis':
      return String(date.getTime());
    case 'nanos':
      return String(BigInt(date.getTime()) * 1_000_000n);
    case 'iso8601':
      return JSON.stringify(iso);
    case 'rfc3339nano':
      return JSON.stringify(iso.replace(/\.?0{1,3}Z$/, 'Z'));
    default:
      return JSON.stringify(`${iso.slice(0, 19)}Z`);
  }
}

// A line of zap's console encoder: time, level, logger, message, fields as JSON, each after a tab.
function consoleLine(line: string): string {
  const { level, ts, logger, msg, stacktrace, ...fields }: Readonly<Record<string, unknown>> = JSON.parse(line);
  const rest = Object.keys(fields).length === 0 ? [] : [JSON.stringify(fields)];
  const head = [ts, String(level).toUpperCase(), ...(logger === undefined ? [] : [logger]), msg, ...rest].join('\t');
  return typeof stacktrace === 'string' ? `${head}\n${stacktrace}\n` : `${head}\n`;
}
