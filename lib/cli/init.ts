import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileSystemReason, writeFiles } from '../files/index.ts';
import { isObject, printable, type JsonObject } from '../json/index.ts';
import { parseJson } from '../manifest/index.ts';
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

/** What is in a folder already that init would not expect; nothing where there is no folder. */
async function contents(folder: string): Promise<readonly string[]> {
  return existsSync(folder) ? (await readdir(folder)).filter((name) => !installed.test(name)) : [];
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
  const file = join(folder, 'package.json');
  const value = existsSync(file) ? parseJson(await readFile(file, 'utf8')) : undefined;
  return isObject(value) ? value : undefined;
}

/** Why the folder cannot be written into, or the files that were written. */
async function write(given: string, folder: string, options: Options, io: Io): Promise<string | readonly string[]> {
  const found = await contents(folder);
  if (found.length > 0)
    return `is not empty (it has ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}); name a new or empty folder`;
  const dependency =
    options.package === undefined
      ? (installedFrom(fileURLToPath(import.meta.url), folder) ?? `^${version}`)
      : respell(options.package, io.cwd, folder);
  const template = { name: packageName(folder), dependency };
  const { 'package.json': _, ...others } = templateFiles(template);
  const files = { 'package.json': packageJson(template, await existingManifest(folder)), ...others };
  const problem = writeFiles(
    folder,
    Object.entries(files).map(([path, text]) => ({ path, text })),
  );
  return problem === undefined ? Object.keys(files).map((path) => join(given, path)) : `cannot be written (${problem.reason})`;
}

async function run(given: string, options: Options, io: Io): Promise<ExitCode> {
  let written: string | readonly string[];
  try {
    written = await write(given, resolve(io.cwd, given), options, io);
  } catch (error) {
    written = `cannot be read (${fileSystemReason(error)})`;
  }
  if (typeof written === 'string') {
    io.err(`${printable(given)}: ${printable(written)}\n`);
    return exitCode.wrongInput;
  }
  io.out(written.map((name) => `${printable(name)}\n`).join(''));
  io.err(`Next: ${given === '.' ? '' : `cd ${printable(given)} && `}npm install && npm run check\n`);
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
