import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { formatPath, isObject, type Json, type Path } from '../json/index.ts';
import { importObjects } from '../graph/import/program.ts';
import { variableName } from '../graph/import/write-graph.ts';
import type { ManifestDocument, SourceIssue } from '../manifest/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { addFilenameOption, readInputs, type Inputs } from './inputs.ts';

interface Options {
  readonly filename: readonly string[];
  readonly output?: string;
  readonly force?: boolean;
  readonly function?: boolean;
}

/** A chart's name for a file's: what is left of it as a label. */
function chartName(file: string): string {
  const name = basename(file)
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'graph' : name;
}

/** Keys that cdk8s cannot write: it assigns to them, and takes an object that has one for an instance of a class. */
const unwritable: readonly (string | number)[] = ['__proto__', 'constructor'];

function unwritableKey(value: Json | undefined, path: Path = []): Path | undefined {
  if (Array.isArray(value)) return firstOf(value.entries(), path);
  return isObject(value) ? firstOf(Object.entries(value), path) : undefined;
}

function firstOf(entries: Iterable<[string | number, Json | undefined]>, path: Path): Path | undefined {
  for (const [key, member] of entries) {
    const here = [...path, key];
    const found = unwritable.includes(key) ? here : unwritableKey(member, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Why a document cannot be written back: it is no object of Kubernetes, or none that cdk8s can write. */
function problem({ value }: ManifestDocument): string | undefined {
  if (!isObject(value)) return 'must be an object';
  const missing = ['apiVersion', 'kind'].find((field) => typeof value[field] !== 'string' || value[field] === '');
  if (missing !== undefined)
    return `${missing}: must be a text, got ${value[missing] === undefined ? 'nothing' : JSON.stringify(value[missing])}`;
  const version = value['apiVersion'];
  if (typeof version === 'string' && version.split('/').length > 2)
    return `apiVersion: must be GROUP/VERSION, got ${JSON.stringify(value['apiVersion'])}`;
  const found = unwritableKey(value);
  return found && `${formatPath(found)}: cdk8s cannot write a key of this name; rename it`;
}

function problems({ documents, issues }: Inputs): readonly string[] {
  const place = ({ file, line, column }: Pick<SourceIssue, 'file' | 'line' | 'column'>): string =>
    line === 0 ? file : `${file}:${line}:${column}`;
  const source = issues.filter((i) => i.severity === 'error').map((i) => `${place(i)}: ${i.message}`);
  const strange = documents.flatMap((d) => {
    const found = problem(d);
    return found === undefined ? [] : [`${place({ file: d.file, ...d.position([]) })}: ${found}`];
  });
  if (source.length + strange.length === 0 && documents.length === 0) return ['nothing to import: the input holds no object'];
  return [...source, ...strange];
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  const inputs = await readInputs(options.filename, io);
  const found = problems(inputs);
  if (found.length > 0) {
    io.err(`${found.join('\n')}\n`);
    return exitCode.wrongInput;
  }
  const [first = 'graph'] = options.filename;
  const values: readonly Json[] = inputs.documents.map((d) => d.value);
  const chart = chartName(options.output ?? (first === '-' ? 'graph' : first));
  const functionName = options.function === true ? { functionName: variableName(`add-${chart}`) } : {};
  const text = importObjects(values, { chart, ...functionName });
  if (options.output === undefined) {
    io.out(text);
    return exitCode.done;
  }
  const file = resolve(io.cwd, options.output);
  if (existsSync(file) && options.force !== true) {
    io.err(`${options.output}: exists already; choose another name, or --force to overwrite it\n`);
    return exitCode.wrongInput;
  }
  try {
    await writeFile(file, text);
  } catch (error) {
    io.err(`${options.output}: cannot be written (${error instanceof Error ? error.message : String(error)})\n`);
    return exitCode.wrongInput;
  }
  io.out(`${options.output}\n`);
  return exitCode.done;
}

/** `dynamo-cdk8s import`: TypeScript for graphs that exist as YAML. */
export const importCommand: CommandDefinition = {
  description:
    'Write TypeScript that renders to the objects of a YAML file: graphs as presets and typed options where they are, everything else as it is. ' +
    'Running the file writes the YAML to dist/.',
  examples: [
    {
      command: 'dynamo-cdk8s import -f graph.yaml -o graph.ts',
      does: 'write graph.ts; npx tsx graph.ts then writes dist/graph.k8s.yaml',
    },
    {
      command: 'kubectl get dgd my-graph -o yaml | dynamo-cdk8s normalize -f - | dynamo-cdk8s import -f -',
      does: 'print the code of a graph that runs',
    },
  ],
  define: (command, io, done) => {
    addFilenameOption(command, 'manifests to import')
      .option('-o, --output <file>', 'TypeScript file to write instead of printing')
      .option('--force', 'overwrite the file')
      .option('--function', 'export a function that adds a chart to an app, for a repository with a main.ts of its own')
      .action(async (options: Options) => done(await run(options, io)));
  },
};
