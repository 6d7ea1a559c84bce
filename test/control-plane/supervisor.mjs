/**
 * Runs the control plane's processes and ends them when its owner is gone.
 *
 * The owner holds the other end of standard input. However the owner ends, by itself, by Ctrl-C, by a crash or by
 * kill -9, the system closes that pipe; then every process is killed and the folder removed. Plain JavaScript, so that
 * it starts at once and needs no loader.
 *
 * Usage: node supervisor.mjs FOLDER. In: `{name, command, args, log}` or `{kill: name}`, one a line. Out: `{name, event, ...}`, one a line.
 */
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const folder = process.argv[2];
const running = new Map();
let isStopping = false;

const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

function start({ name, command, args, log }) {
  if (isStopping) return;
  const output = openSync(log, 'a');
  const child = spawn(command, args, { stdio: ['ignore', output, output] });
  running.set(name, child);
  child.on('spawn', () => tell({ name, event: 'started', pid: child.pid }));
  child.on('error', (error) => tell({ name, event: 'exited', how: error.message }));
  child.on('exit', (code, signal) => {
    running.delete(name);
    tell({ name, event: 'exited', how: signal ? `signal ${signal}` : `exit code ${code}` });
  });
}

function hear(message) {
  if ('kill' in message) running.get(message.kill)?.kill('SIGKILL');
  else start(message);
}

// Nothing here outlives the run, so nothing deserves a graceful end: SIGKILL is certain.
async function stop() {
  if (isStopping) return;
  isStopping = true;
  const ended = [...running.values()].map((child) => new Promise((resolve) => child.on('exit', resolve)));
  for (const child of running.values()) child.kill('SIGKILL');
  await Promise.all(ended);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

// The owner may be gone already; then nobody reads.
process.stdout.on('error', () => {});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
createInterface({ input: process.stdin })
  .on('line', (line) => hear(JSON.parse(line)))
  .on('close', stop);
