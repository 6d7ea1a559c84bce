/** A reader's shell: runs the steps of a page one after the other, in one folder, with what was exported before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Step } from './shell-steps.ts';

/** What a session starts with. */
export interface SessionOptions {
  /** Folder the commands run in. */
  readonly folder: string;
  /** Environment of the first command. */
  readonly env: Readonly<Record<string, string>>;
  /** Plays somebody who is not there, such as cert-manager. */
  readonly play: (name: string) => Promise<void>;
}

const patienceMs = 1_500_000;

/** Runs steps; throws, with the line of the page, at the first that does not do what the page says. */
export class ShellSession {
  readonly #options: SessionOptions;
  #printed = '';

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async step(step: Step): Promise<void> {
    const fail = (message: string): never => {
      throw new Error(`line ${step.line}: ${message}\n$ ${step.text}\n${this.#printed}`);
    };
    if (step.kind === 'file') {
      const path = join(this.#place(), step.detail);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, step.text);
    } else if (step.kind === 'prints') {
      for (const line of step.text.split('\n'))
        if (!this.#printed.includes(line.trim())) fail(`nothing printed '${line.trim()}'`);
    } else if (step.kind === 'run') {
      if (step.played !== undefined) await this.#options.play(step.played);
      const code = await this.#run(step.text);
      if (step.fails === undefined && code !== 0) fail(`exit ${code}`);
      if (step.fails !== undefined && (code === 0 || !this.#printed.includes(step.fails)))
        fail(`must fail with '${step.fails}', exit ${code}`);
    }
  }

  /** Where the reader's terminal is: where the last block left it. */
  #place(): string {
    const { folder } = this.#options;
    const exports = join(folder, '.exports');
    return (existsSync(exports) && /^declare -x PWD="(.*)"$/m.exec(readFileSync(exports, 'utf8'))?.[1]) || folder;
  }

  /** Runs commands that must succeed. */
  async succeed(commands: string): Promise<void> {
    const code = await this.#run(commands);
    if (code !== 0) throw new Error(`exit ${code}\n$ ${commands}\n${this.#printed}`);
  }

  async #run(commands: string): Promise<number | null> {
    const { folder, env } = this.#options;
    // What a block exports, and where it goes, is there for the next one, as in a reader's terminal.
    const script = `[ -f .exports ] && source .exports && cd "$PWD"; set -euo pipefail; trap 'export -p > "$SESSION/.exports"' EXIT\n${commands}`;
    const child = spawn('bash', ['-c', script], { cwd: folder, env: { ...env, SESSION: folder }, detached: true });
    // The whole group: a command that hangs would outlive its shell.
    const alarm = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), patienceMs);
    child.stdin.end();
    const closed = once(child, 'close');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await closed) as [number | null];
    clearTimeout(alarm);
    this.#printed = out + err;
    return code;
  }
}
