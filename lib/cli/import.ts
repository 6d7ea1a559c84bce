import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  judgeDocuments,
  locate,
  locateFindings,
  renderDocuments,
  sourceFinding,
  type JudgedDocument,
  type LocatedFinding,
} from '../check/index.ts';
import { importDocuments, nullPaths, variableName, withoutLiveFields, withStoredNulls } from '../graph/import/index.ts';
import { isList, isObject, printable, valueAt, type Json, type Path } from '../json/index.ts';
import type { ManifestDocument } from '../manifest/index.ts';
import { writeFileWhole } from '../files/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { addFilenameOption, readInputs, type Inputs } from './inputs.ts';
import { sortFindings, textLine } from './report/index.ts';

const settings = { namespace: 'default' };

interface Options {
  readonly filename: readonly string[];
  readonly output?: string;
  readonly force?: boolean;
  readonly function?: boolean;
}

/** Derives a chart name from a file name: lower case, with `-` for every character that a DNS label does not allow. */
function chartName(file: string): string {
  const name = basename(file)
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-');
  return name === '' ? 'graph' : name;
}

/** Keys that cdk8s cannot write: assigning to `__proto__` sets the prototype, and an object with a `constructor` counts as a class instance. */
const unwritableKeys: readonly (string | number)[] = ['__proto__', 'constructor'];

function unwritableKey(value: Json | undefined, path: Path = []): Path | undefined {
  if (Array.isArray(value)) return firstUnwritableKey(value.entries(), path);
  return isObject(value) ? firstUnwritableKey(Object.entries(value), path) : undefined;
}

function firstUnwritableKey(entries: Iterable<[string | number, Json | undefined]>, path: Path): Path | undefined {
  for (const [key, member] of entries) {
    const here = [...path, key];
    const found = unwritableKeys.includes(key) ? here : unwritableKey(member, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Errors about a document that cdk8s cannot write: a malformed apiVersion, metadata lists of another type, or an unwritable key. */
function findUnwritable({ source }: JudgedDocument<ManifestDocument>): readonly LocatedFinding[] {
  const { value } = source;
  const version = isObject(value) ? value['apiVersion'] : undefined;
  const finding = (path: Path, message: string): LocatedFinding =>
    locate(source, { stage: 'kind', severity: 'error', id: 'unwritable', path, message });
  if (typeof version === 'string' && version.split('/').length > 2)
    return [finding(['apiVersion'], `must be GROUP/VERSION, got ${JSON.stringify(version)}`)];
  const list = ['ownerReferences', 'finalizers'].find((field) => !isList(valueAt(value, 'metadata', field) ?? []));
  if (list !== undefined) return [finding(['metadata', list], 'must be a list; cdk8s cannot write anything else')];
  const found = unwritableKey(value);
  return found === undefined ? [] : [finding(found, 'cdk8s cannot write a key of this name; rename it')];
}

/** Warnings about nulls in objects of other API groups: cdk8s does not write nulls, and the API server treats most of them as absent fields. */
function findNulls({ source, isDynamo }: JudgedDocument<ManifestDocument>): readonly LocatedFinding[] {
  if (isDynamo) return [];
  return nullPaths(source.value).map((path) =>
    locate(source, {
      stage: 'kind',
      severity: 'warning',
      id: 'null_left_out',
      path,
      message: 'cdk8s does not write null, so the field is omitted; set a value or remove the field',
    }),
  );
}

function isTyped(value: Json): boolean {
  return isObject(value) && ['apiVersion', 'kind'].every((field) => typeof value[field] === 'string' && value[field] !== '');
}

/** Errors that stop the import. An object that the API server would reject is reported and still written. */
function findObstacles(inputs: Inputs, documents: readonly JudgedDocument<ManifestDocument>[]): readonly LocatedFinding[] {
  const untyped = documents.filter(({ source: { value } }) => !isTyped(value));
  const found = [...inputs.issues.map(sourceFinding), ...locateFindings(untyped), ...documents.flatMap(findUnwritable)];
  return found.filter(({ severity }) => severity === 'error');
}

/** Drops findings that occur twice: about the document as given, and without the fields that the import leaves out. */
function distinct(findings: readonly LocatedFinding[]): readonly LocatedFinding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  const inputs = await readInputs(options.filename, io);
  const written = inputs.documents.map((document) => ({
    ...document,
    value: withStoredNulls(withoutLiveFields(document.value)),
  }));
  const documents = renderDocuments(judgeDocuments(written, settings), settings);
  const obstacles = findObstacles(inputs, documents);
  const found = distinct([...locateFindings(judgeDocuments(inputs.documents, settings)), ...locateFindings(documents)]).filter(
    ({ severity, stage }) => severity === 'error' || stage === 'kind',
  );
  const reported =
    obstacles.length > 0 ? obstacles : [...inputs.issues.map(sourceFinding), ...found, ...documents.flatMap(findNulls)];
  for (const finding of sortFindings(reported, inputs.files)) io.err(textLine(finding, io.colour.err));
  if (obstacles.length > 0) return exitCode.wrongInput;
  const objects = documents.filter(({ source }) => isTyped(source.value));
  if (objects.length === 0) {
    io.err('nothing to import: the input holds no object\n');
    return exitCode.wrongInput;
  }
  const [first = 'graph'] = options.filename;
  const chart = chartName(options.output ?? (first === '-' ? 'graph' : first));
  const functionName = options.function === true ? { functionName: variableName(`add-${chart}`) } : {};
  const limit = inputs.lines === undefined ? {} : { lines: inputs.lines };
  const code = importDocuments(objects, { chart, ...functionName, ...limit });
  if (options.output === undefined) {
    io.out(code);
    return exitCodeFor(reported.some(({ severity }) => severity === 'error'));
  }
  const file = resolve(io.cwd, options.output);
  if (existsSync(file) && options.force !== true) {
    io.err(`${printable(options.output)}: already exists; choose another name, or use --force to overwrite it\n`);
    return exitCode.wrongInput;
  }
  const reason = writeFileWhole(file, code);
  if (reason !== undefined) {
    io.err(`${printable(options.output)}: cannot be written (${reason})\n`);
    return exitCode.wrongInput;
  }
  io.out(`${printable(options.output)}\n`);
  return exitCodeFor(reported.some(({ severity }) => severity === 'error'));
}

/** `dynamo-cdk8s import`: writes TypeScript for graphs that exist as YAML. */
export const importCommand: CommandDefinition = {
  description:
    'Write TypeScript that renders to the objects of a YAML file: graphs as presets and typed options where possible, everything else unchanged. ' +
    'Running the file writes the YAML to dist/.',
  examples: [
    {
      command: 'dynamo-cdk8s import -f graph.yaml -o graph.ts',
      does: 'write graph.ts; npx tsx graph.ts then writes dist/graph.k8s.yaml',
    },
    {
      command: 'kubectl get dgd my-graph -o yaml | dynamo-cdk8s normalize -f - | dynamo-cdk8s import -f -',
      does: 'print the code of a running graph',
    },
  ],
  define: (command, io, done) => {
    addFilenameOption(command, 'manifests to import')
      .option('-o, --output <file>', 'TypeScript file to write instead of printing')
      .option('--force', 'overwrite the file')
      .option('--function', 'export a function that adds a chart to an app, for a repository with its own main.ts')
      .action(async (options: Options) => done(await run(options, io)));
  },
};
