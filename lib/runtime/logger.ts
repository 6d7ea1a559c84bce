/** The interface through which all parts of the operator log. */

/** Values beside a message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes lines; the message holds no values, they go into the fields. */
export interface Logger {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, error: unknown, fields?: LogFields) => void;
}

/** The same log with fields on every line. */
export function withFields(log: Logger, bound: LogFields): Logger {
  return {
    debug: (message, fields) => log.debug(message, { ...bound, ...fields }),
    info: (message, fields) => log.info(message, { ...bound, ...fields }),
    error: (message, error, fields) => log.error(message, error, { ...bound, ...fields }),
  };
}

/** Writes nothing: for commands that report by their result. */
export const noLog: Logger = { debug: () => {}, info: () => {}, error: () => {} };
