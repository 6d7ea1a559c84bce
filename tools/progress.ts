/** Shows the progress of long work: a line that is redrawn on a terminal, a new line every 30 seconds elsewhere. */

/** The progress of long work. */
export interface Progress {
  /** Counts a step and shows its name. */
  step(name: string): void;
  /** Writes the last line. */
  end(outcome: string): void;
}

/** A terminal or any other stream that shows progress. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(output: string): unknown;
}

const secondsBetweenLines = 30;

/** Announces long work and shows its progress until `end` is called. */
export function startProgress(announcement: string, label: string, out: ProgressStream): Progress {
  const started = Date.now();
  let steps = 0;
  let last = '';
  out.write(`${announcement}\n`);
  const seconds = (): number => Math.round((Date.now() - started) / 1000);
  const draw = (): void => {
    const line = `  ${label}: ${seconds()} s${steps > 0 ? `, ${steps} steps, ${last}` : ''}`;
    out.write(out.isTTY ? `\r\u001b[K${line.slice(0, (out.columns ?? 80) - 1)}` : `${line}\n`);
  };
  const timer = setInterval(draw, (out.isTTY ? 1 : secondsBetweenLines) * 1000);
  return {
    step(name) {
      steps += 1;
      last = name;
    },
    end(outcome) {
      clearInterval(timer);
      out.write(`${out.isTTY ? '\r\u001b[K' : ''}  ${label}: ${outcome} after ${seconds()} s\n`);
    },
  };
}
