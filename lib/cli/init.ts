import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type Json, type JsonObject } from '../json/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { packageJson, templateFiles } from './init-template.ts';
import { installedFrom, respell } from './installed-from.ts';
import { version } from './version.ts';

interface Options {
  readonly package?: string;
}

/** What an install of this package leaves in a folder; such a folder, like a fresh Git repository, counts as empty. */
const installed = /^(?:\.git|node_modules|package\.json|package-lock\.json|.*\.tgz)$/;

/** What is in a folder already that init would not expect. */
async function contents(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !installed.test(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** A package name for a folder's. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'graphs' : name;
}

/** The package.json of the folder, if it has one. */
async function existingManifest(folder: string): Promise<JsonObject | undefined> {
  try {
    const value = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Json;
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function run(given: string, options: Options, io: Io): Promise<ExitCode> {
  const folder = resolve(io.cwd, given);
  try {
    const found = await contents(folder);
    if (found.length > 0) {
      io.err(
        `${given}: is not empty (it has ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}); name a new or empty folder\n`,
      );
      return exitCode.wrongInput;
    }
    const dependency =
      options.package === undefined
        ? (installedFrom(fileURLToPath(import.meta.url), folder) ?? `^${version}`)
        : respell(options.package, io.cwd, folder);
    const template = { name: packageName(folder), dependency };
    const manifest = await existingManifest(folder);
    const { 'package.json': _, ...files } = templateFiles(template);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), packageJson(template, manifest));
    io.out(`${join(given, 'package.json')}\n`);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { flag: 'wx' });
      io.out(`${join(given, path)}\n`);
    }
  } catch (error) {
    io.err(`${given}: cannot be written (${error instanceof Error ? error.message : String(error)})\n`);
    return exitCode.wrongInput;
  }
  io.err(`Next: ${given === '.' ? '' : `cd ${given} && `}npm install && npm run check\n`);
  return exitCode.done;
}

/** `dynamo-cdk8s init`: a GitOps repository that works at once. */
export const init: CommandDefinition = {
  description:
    'Start a GitOps repository: one graph, its tests, the manifests it renders to, and a CI file that keeps them in step.',
  examples: [
    { command: 'dynamo-cdk8s init my-graphs', does: 'write the repository into a new folder' },
    { command: 'cd my-graphs && npm install && npx cdk8s synth', does: 'write its manifests to dist/' },
  ],
  define: (command, io, done) => {
    command
      .argument('[dir]', 'folder to write into; new or empty', '.')
      .option('--package <spec>', 'what npm installs dynamo-cdk8s from: a version, a tarball, a Git address')
      .action(async (dir: string, options: Options) => done(await run(dir, options, io)));
  },
};
