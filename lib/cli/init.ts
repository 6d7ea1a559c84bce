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
import { installedFrom, rebaseSpec } from './installed-from.ts';
import { version } from './version.ts';

interface Options {
  readonly package?: string;
}

/** Files that `git init` and `npm install` create; a folder with only these counts as empty. */
const ignoredFiles = /^(?:\.git|node_modules|package\.json|package-lock\.json|.*\.tgz)$/;

/** The other files in a folder; none if the folder does not exist. */
async function contents(folder: string): Promise<readonly string[]> {
  return existsSync(folder) ? (await readdir(folder)).filter((name) => !ignoredFiles.test(name)) : [];
}

/** Derives a package name from a folder name. */
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

/** Writes the repository; returns the paths of its files, or an error message. */
async function write(given: string, folder: string, options: Options, io: Io): Promise<string | readonly string[]> {
  const found = await contents(folder);
  if (found.length > 0)
    return `is not empty (it has ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}); name a new or empty folder`;
  const dependency =
    options.package === undefined
      ? (installedFrom(fileURLToPath(import.meta.url), folder) ?? `^${version}`)
      : rebaseSpec(options.package, io.cwd, folder);
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

/** `dynamo-cdk8s init`: creates a GitOps repository with example graphs. */
export const init: CommandDefinition = {
  description:
    'Create a GitOps repository: example graphs, their tests, and a CI workflow that keeps the rendered manifests up to date.',
  examples: [
    { command: 'dynamo-cdk8s init my-graphs', does: 'write the repository into a new folder' },
    { command: 'cd my-graphs && npm install && npx cdk8s synth', does: 'write its manifests to dist/' },
  ],
  define: (command, io, done) => {
    command
      .argument('[dir]', 'new or empty folder to write into', '.')
      .option('--package <spec>', 'npm specification of dynamo-cdk8s: a version, a tarball or a Git URL')
      .action(async (dir: string, options: Options) => done(await run(dir, options, io)));
  },
};
