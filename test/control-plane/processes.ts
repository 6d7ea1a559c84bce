/** The owner's side of `supervisor.mjs`: starts processes that cannot outlive this one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** One program to run. */
export interface ProcessSpec {
  /** Name in messages and of the log file. */
  readonly name: string;
  /** Path of the program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

interface Message {
  readonly name: string;
  readonly event: 'started' | 'exited';
  readonly pid?: number;
  readonly how?: string;
}

/** Has Go collect garbage less often: a third less work for some hundred megabytes more. */
export const lazyCollection = { GOGC: '400' } as const;

/** Processes that live in one folder and end together. */
export class Processes {
  readonly #folder: string;
  readonly #supervisor: ChildProcess;
  readonly #pids = new Map<string, number>();
  readonly #failed = new AbortController();
  readonly #waiting = new Map<string, () => void>();
  readonly #specs = new Map<string, ProcessSpec>();
  /** Processes that are to end, and who waits for that. */
  readonly #ending = new Map<string, () => void>();
  #isStopping = false;

  /** The folder is new, in the temporary one. It and the supervisor, which removes it, are made in one step: a signal cannot come between. */
  constructor(prefix: string) {
    const folder = mkdtempSync(join(tmpdir(), prefix));
    this.#folder = folder;
    // Every start waits for it.
    setMaxListeners(0, this.#failed.signal);
    // Detached: a Ctrl-C in the terminal must not reach the processes before their owner has ended.
    this.#supervisor = spawn(process.execPath, [fileURLToPath(new URL('supervisor.mjs', import.meta.url)), folder], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, ...lazyCollection },
    });
    this.#supervisor.stdin?.on('error', () => this.#supervisorIsGone());
    this.#supervisor.on('exit', () => this.#supervisorIsGone());
    if (this.#supervisor.stdout) createInterface(this.#supervisor.stdout).on('line', (line) => void this.#hear(JSON.parse(line)));
  }

  /** Where the processes live; their logs are here. */
  get folder(): string {
    return this.#folder;
  }

  /** Aborted, with the reason, when a process ends that was not asked to. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Process ids by name, the supervisor's among them. */
  get pids(): Readonly<Record<string, number>> {
    return { supervisor: this.#supervisor.pid ?? 0, ...Object.fromEntries(this.#pids) };
  }

  /** Starts a process; resolves when it runs. */
  async start(spec: ProcessSpec): Promise<void> {
    this.#specs.set(spec.name, spec);
    const started = new Promise<void>((resolve) => this.#waiting.set(spec.name, resolve));
    this.#supervisor.stdin?.write(`${JSON.stringify({ ...spec, log: this.#log(spec.name) })}\n`);
    await Promise.race([started, rejectWhenAborted(this.failed)]);
  }

  /** Kills a process and starts it again; resolves when it runs. */
  async restart(name: string): Promise<void> {
    const spec = this.#specs.get(name);
    if (spec === undefined) throw new Error(`no process ${name}; there are ${[...this.#specs.keys()].join(', ')}`);
    const ended = new Promise<void>((resolve) => this.#ending.set(name, resolve));
    this.#supervisor.stdin?.write(`${JSON.stringify({ kill: name })}\n`);
    await Promise.race([ended, rejectWhenAborted(this.failed)]);
    await this.start(spec);
  }

  /** Ends all processes and removes the folder. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#supervisor.exitCode === null && this.#supervisor.signalCode === null) {
      const ended = once(this.#supervisor, 'exit');
      this.#supervisor.stdin?.end();
      await ended;
    }
    // The supervisor did this already, unless it was killed.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #log(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  async #hear({ name, event, pid, how }: Message): Promise<void> {
    if (event === 'started' && pid !== undefined) {
      this.#pids.set(name, pid);
      this.#waiting.get(name)?.();
      return;
    }
    this.#pids.delete(name);
    const ending = this.#ending.get(name);
    if (ending !== undefined) {
      this.#ending.delete(name);
      ending();
      return;
    }
    if (this.#isStopping) return;
    const lines = (await readFile(this.#log(name), 'utf8').catch(() => '')).trimEnd().split('\n').slice(-20);
    this.#failed.abort(
      new Error([`${name} ended (${how}); its log ends with`, ...lines.map((line) => `  | ${line}`)].join('\n')),
    );
  }

  // The supervisor guards against this process's death; this guards against the supervisor's.
  #supervisorIsGone(): void {
    if (this.#isStopping) return;
    for (const pid of this.#pids.values()) killIfAlive(pid);
    this.#failed.abort(new Error('the supervisor of the control plane was killed'));
  }
}

/** A promise that never resolves and rejects with the signal's reason. */
export function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
