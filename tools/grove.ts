/** Builds the Grove operator from the archive of the corpus, once; it is published as an image only. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withBuildLock } from './build-lock.ts';
import { cacheFolder } from './find.ts';

const run = promisify(execFile);
const corpus = process.env['DYNAMO_CORPUS'];

/** Folder with the archive, the objects and the configuration; undefined where there is none. */
export const groveFolder =
  corpus !== undefined && existsSync(join(corpus, 'live/grove')) ? join(corpus, 'live/grove') : undefined;

/** Folder with the CRDs of Grove. */
export const groveCrds = join(corpus ?? '', 'live/crds/grove');

/** Path of the operator; built into the cache of tools where it is not there yet. */
export async function findGrove(folder: string): Promise<string> {
  const archive = readdirSync(folder).find((file) => file.endsWith('.tar.gz'));
  const version = /v[0-9][0-9a-z.-]*[0-9]/.exec(archive ?? '')?.[0];
  if (archive === undefined || version === undefined) throw new Error(`${folder} has no archive with a version in its name`);
  const target = join(cacheFolder(), `grove-operator-${version}`);
  const program = join(target, 'grove-operator');
  if (existsSync(program)) return program;
  await mkdir(cacheFolder(), { recursive: true });
  await withBuildLock(cacheFolder(), process.stderr, async () => {
    if (existsSync(program)) return;
    process.stderr.write(`building grove-operator ${version} with Go, needed once (about 4 min on two cores)\n`);
    const work = await mkdtemp(join(cacheFolder(), '.building-'));
    try {
      await run('tar', ['-xzf', join(folder, archive), '-C', work]);
      const flags = ['build', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', join(work, 'built'), './cmd'];
      await run('go', flags, {
        cwd: join(work, 'operator'),
        env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=mod' },
      });
      await mkdir(target, { recursive: true });
      await rename(join(work, 'built'), program);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
  return program;
}
