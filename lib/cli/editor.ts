import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileSystemReason, writeFiles } from '../files/index.ts';
import { isObject, printable, type Json, type JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { editorFiles, schemaComment } from './editor-files.ts';
import { exitCode, type ExitCode } from './exit-code.ts';

const settingsFile = '.vscode/settings.json';
const jetbrainsFile = '.idea/jsonSchemas.xml';

function parseObject(source: string): JsonObject | undefined {
  try {
    const value = JSON.parse(source) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The settings file of VS Code, if there is one, or why it cannot be read. */
async function readSettings(file: string): Promise<{ readonly source: string | undefined } | { readonly reason: string }> {
  try {
    return { source: existsSync(file) ? await readFile(file, 'utf8') : undefined };
  } catch (error) {
    return { reason: fileSystemReason(error) };
  }
}

/** The settings file of VS Code with the schema mappings added; undefined if the file is not plain JSON, as VS Code allows comments in it. */
function mergeSettings(source: string | undefined, mappings: JsonObject): string | undefined {
  const current = source === undefined ? {} : parseObject(source);
  if (current === undefined) return undefined;
  const existing = isObject(current['yaml.schemas']) ? current['yaml.schemas'] : {};
  const added = isObject(mappings['yaml.schemas']) ? mappings['yaml.schemas'] : {};
  return `${stringifyJson({ ...current, 'yaml.schemas': { ...existing, ...added } }, 2)}\n`;
}

/** Why a folder cannot hold the schemas; editors look for them by a path below the project. */
function folderProblem(folder: string): string | undefined {
  if (isAbsolute(folder) || folder.split(/[/\\]/).includes('..')) return 'must be a path below the current folder';
  return printable(folder) === folder ? undefined : 'must not contain control characters';
}

async function run(folder: string, io: Io): Promise<ExitCode> {
  const refused = folderProblem(folder);
  if (refused !== undefined) {
    io.err(`--schemas: ${refused}, got ${printable(folder)}\n`);
    return exitCode.wrongInput;
  }
  const { schemas, vscode, jetbrains } = editorFiles(folder);
  const before = await readSettings(join(io.cwd, settingsFile));
  if ('reason' in before) {
    io.err(`${settingsFile}: cannot be read (${before.reason})\n`);
    return exitCode.wrongInput;
  }
  const settings = mergeSettings(before.source, vscode);
  const hasJetbrains = existsSync(join(io.cwd, jetbrainsFile));
  const files: Readonly<Record<string, string>> = {
    ...schemas,
    ...(settings === undefined ? {} : { [settingsFile]: settings }),
    ...(hasJetbrains ? {} : { [jetbrainsFile]: jetbrains }),
  };
  const problem = writeFiles(
    io.cwd,
    Object.entries(files).map(([path, text]) => ({ path, text })),
  );
  if (problem !== undefined) {
    io.err(`${problem.path}: cannot be written (${problem.reason})\n`);
    return exitCode.wrongInput;
  }
  io.out(
    Object.keys(files)
      .map((path) => `${path}\n`)
      .join(''),
  );
  if (settings === undefined)
    io.err(`${settingsFile}: is not plain JSON and stays unchanged; add ${stringifyJson(vscode)} to it\n`);
  if (hasJetbrains)
    io.err(`${jetbrainsFile}: already exists and stays unchanged; map ${folder}/dynamo.json in Settings, JSON Schema Mappings\n`);
  io.err(`in YAML files of other folders, name the schema in the first line: ${schemaComment(folder)}\n`);
  return exitCode.done;
}

/** `dynamo-cdk8s editor`: sets up completion, hover documentation and checks for Dynamo YAML in VS Code and JetBrains IDEs. */
export const editor: CommandDefinition = {
  description:
    'Set up editors for Dynamo YAML: write JSON Schemas, and settings that map YAML files to them in VS Code (with its YAML extension) and JetBrains IDEs. ' +
    'TypeScript needs no setup.',
  examples: [{ command: 'dynamo-cdk8s editor', does: 'write schemas/, .vscode/settings.json and .idea/jsonSchemas.xml' }],
  define: (command, io, done) => {
    command
      .option('--schemas <folder>', 'folder to write the schemas into', 'schemas')
      .action(async (options: { readonly schemas: string }) => done(await run(options.schemas, io)));
  },
};
