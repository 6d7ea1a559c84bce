/** Reads the CRDs of other projects from their Go modules, which Go downloads, verifies and caches. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Environment, locateGo } from './find.ts';
import { type CrdModuleName, crdModules } from './versions.ts';

/** The content of the CRD files of a project, by file name. */
export async function readCrdFiles(
  name: CrdModuleName,
  env: Environment = process.env,
): Promise<Readonly<Record<string, string>>> {
  const { module, version, folder } = crdModules[name];
  const path = join(await moduleFolder(`${module}@${version}`, env), folder);
  const files = readdirSync(path).filter((file) => file.endsWith('.yaml'));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(path, file), 'utf8')]));
}

async function moduleFolder(module: string, env: Environment): Promise<string> {
  const go = locateGo(env);
  if (go === undefined) throw new Error(`${module}: Go is needed to download it, see https://go.dev/dl`);
  const options = { cwd: tmpdir(), env: { ...env, GOWORK: 'off' } };
  const { stdout } = await promisify(execFile)(go, ['mod', 'download', '-json', module], options);
  const { Dir: folder } = JSON.parse(stdout) as { readonly Dir?: string };
  if (folder === undefined) throw new Error(`go mod download ${module}: the output has no Dir: ${stdout}`);
  return folder;
}
