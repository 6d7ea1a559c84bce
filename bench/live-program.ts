// Runs a program of the corpus' `live` folder, which measures any operator on a real control plane, and reads the JSON it ends with.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { isObject, type JsonObject } from '../lib/json/index.ts';
import { findTool } from '../tools/find.ts';

const project = join(import.meta.dirname, '..');
const operator = join(project, 'build', 'cli', 'dynamo-cdk8s.js');
const programs = ['etcd', 'kube-apiserver', 'kubectl'] as const;

/**
 * What the program measured of the operator in build/, or of another program that is started with the same flags; undefined, with a word on stderr,
 * where it cannot run.
 */
export async function measureLive(
  name: string,
  size: number,
  command: readonly string[] = [operator, 'operator'],
): Promise<JsonObject | undefined> {
  const corpus = process.env['DYNAMO_CORPUS'];
  const program = resolve(corpus ?? '', 'live', name);
  if (corpus === undefined || !existsSync(program)) {
    console.error(`skipped: set DYNAMO_CORPUS to a folder that has live/${name}`);
    return undefined;
  }
  if (!existsSync(operator)) throw new Error('build/ is missing: run `npm run build` first');
  const bin = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-bench-'));
  try {
    for (const tool of programs) symlinkSync(await findTool(tool), join(bin, tool));
    const env = {
      ...process.env,
      BIN: bin,
      CRDS: resolve(corpus, 'live', 'crds'),
      OPERATOR: [process.execPath, ...command].join(' '),
    };
    const { status, stdout } = spawnSync(process.execPath, [program, String(size)], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`live/${name} ${size} ended with ${status ?? 'a signal'}`);
    const measured: unknown = JSON.parse(stdout.slice(stdout.indexOf('{')));
    if (!isObject(measured)) throw new Error(`live/${name} printed no object`);
    return measured;
  } finally {
    rmSync(bin, { recursive: true });
  }
}
