import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFiles } from '../files/index.ts';
import { isObject, type Json, type JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { editorFiles, schemaComment } from './editor-files.ts';
import { exitCode, type ExitCode } from './exit-code.ts';

const settingsFile = '.vscode/settings.json';
const jetbrainsFile = '.idea/jsonSchemas.xml';

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Settings of VS Code with ours among them; undefined when what is there is not plain JSON and must be left alone. */
async function settings(file: string, ours: JsonObject): Promise<string | undefined> {
  const current = existsSync(file) ? parseObject(await readFile(file, 'utf8')) : {};
  if (current === undefined) return undefined;
  const known = isObject(current['yaml.schemas']) ? current['yaml.schemas'] : {};
  const added = isObject(ours['yaml.schemas']) ? ours['yaml.schemas'] : {};
  return `${stringifyJson({ ...current, 'yaml.schemas': { ...known, ...added } }, 2)}\n`;
}

async function run(folder: string, io: Io): Promise<ExitCode> {
  const { schemas, vscode, jetbrains } = editorFiles(folder);
  const written = await settings(join(io.cwd, settingsFile), vscode);
  const keep = existsSync(join(io.cwd, jetbrainsFile));
  const files: Readonly<Record<string, string>> = {
    ...schemas,
    ...(written === undefined ? {} : { [settingsFile]: written }),
    ...(keep ? {} : { [jetbrainsFile]: jetbrains }),
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
  if (written === undefined) io.err(`${settingsFile}: has comments and is left alone; add ${stringifyJson(vscode)}\n`);
  if (keep)
    io.err(`${jetbrainsFile}: exists already and is left alone; map ${folder}/dynamo.json in Settings, JSON Schema Mappings\n`);
  io.err(`A YAML file elsewhere says its schema in its first line: ${schemaComment(folder)}\n`);
  return exitCode.done;
}

/** `dynamo-cdk8s editor`: completion, hover text and checks for YAML in VS Code and JetBrains' editors. */
export const editor: CommandDefinition = {
  description:
    'Set up editors for YAML of Dynamo: write JSON Schemas and the settings with which VS Code (with its YAML extension) and JetBrains’ editors use them. ' +
    'TypeScript needs nothing.',
  examples: [{ command: 'dynamo-cdk8s editor', does: 'write schemas/, .vscode/settings.json and .idea/jsonSchemas.xml' }],
  define: (command, io, done) => {
    command
      .option('--schemas <folder>', 'folder to write the schemas into', 'schemas')
      .action(async (options: { readonly schemas: string }) => done(await run(options.schemas, io)));
  },
};
