/** Shows on stderr that long work goes on: a line that redraws on a terminal, a line now and then elsewhere. */

/** Long work under way. */
export interface Progress {
  /** Notes one step done. */
  step(name: string): void;
  /** Ends the display with a last line. */
  end(outcome: string): void;
}

/** Where progress is shown; a terminal or any other stream. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const secondsBetweenLines = 30;

/** Announces long work and keeps telling that it goes on. */
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
