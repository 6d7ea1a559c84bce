/** A lock that lets only one process build at a time: a Go build already uses every core. */
import { rmSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { type ProgressStream, startProgress } from './progress.ts';

let requests = 0;

/** Runs `work` while holding the lock of a folder; waits while another process holds it. */
export async function withBuildLock(folder: string, out: ProgressStream, work: () => Promise<void>): Promise<void> {
  const lock = join(folder, 'build.lock');
  await acquire(lock, out);
  const release = (): void => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire(lock: string, out: ProgressStream): Promise<void> {
  if (await tryAcquire(lock)) return;
  const progress = startProgress('waiting for another process that builds tools', 'waiting', out);
  while (!(await tryAcquire(lock))) await setTimeout(200);
  progress.end('done');
}

async function tryAcquire(lock: string): Promise<boolean> {
  // A hard link appears with its content, so that no reader sees a lock file without its owner: link(2).
  requests += 1;
  const candidate = `${lock}.${process.pid}.${threadId}.${requests}`;
  await writeFile(candidate, String(process.pid));
  try {
    await link(candidate, lock);
    return true;
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    await removeIfOwnerIsGone(lock);
    return false;
  } finally {
    await rm(candidate, { force: true });
  }
}

// Two waiting processes may both remove the lock of a dead owner and both build; the rename at the end of a build makes that harmless.
async function removeIfOwnerIsGone(lock: string): Promise<void> {
  const owner = Number(await readFile(lock, 'utf8').catch(() => process.pid));
  try {
    process.kill(owner, 0);
  } catch (error) {
    if (isCode(error, 'ESRCH')) await rm(lock, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
