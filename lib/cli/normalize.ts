import { Option } from 'commander';
import {
  judgeDocuments,
  locateFindings,
  renderDocuments,
  sourceFinding,
  type JudgedDocument,
  type LocatedFinding,
} from '../check/index.ts';
import { isObject, valueAt, type Json } from '../json/index.ts';
import { stringifyJson, toYamlDocuments } from '../manifest/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { count, sortFindings, textLine } from './report/index.ts';

interface Options {
  readonly filename: readonly string[];
  readonly output: 'yaml' | 'json';
  readonly strict?: boolean;
}

const writers: Readonly<Record<Options['output'], (objects: readonly Json[]) => string>> = {
  yaml: toYamlDocuments,
  json: (objects) => {
    const [first] = objects;
    return `${stringifyJson(objects.length === 1 && first !== undefined ? first : { apiVersion: 'v1', kind: 'List', items: objects }, 2)}\n`;
  },
};

const settings = { namespace: 'default' };

/** The object to print: the normalized form, without the namespace that checking added; undefined if there is none. */
function printedForm({ source, isDynamo, normalized }: JudgedDocument): Json | undefined {
  if (!isDynamo) return isObject(source.value) ? source.value : undefined;
  if (normalized === undefined || (valueAt(source.value, 'metadata', 'namespace') ?? '') !== '') return normalized;
  const { namespace: _, ...metadata } = isObject(normalized['metadata']) ? normalized['metadata'] : {};
  return { ...normalized, metadata };
}

/** Whether `normalize` prints a finding: every error, and of the warnings those about fields that are not stored. */
function isShown({ severity, stage }: LocatedFinding): boolean {
  return severity === 'error' || stage === 'source' || stage === 'kind' || stage === 'schema';
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  const inputs = await readInputs(options.filename, io);
  const documents = renderDocuments(judgeDocuments(inputs.documents, settings), settings);
  const unread = inputs.issues.map(sourceFinding);
  const findings = [...unread, ...locateFindings(documents)].filter(isShown);
  for (const finding of sortFindings(findings, inputs.files)) io.err(textLine(finding, io.colour.err));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const objects = documents.map(printedForm).filter((object) => object !== undefined);
  if (objects.length < documents.length || unread.some(({ severity }) => severity === 'error')) {
    io.err(`${count(errors, 'error')}; nothing was printed\n`);
    return exitCode.wrongInput;
  }
  if (objects.length > 0) io.out(writers[options.output](objects));
  if (errors > 0) io.err(`${count(errors, 'error')}: the cluster rejects what was printed\n`);
  return exitCodeFor(errors > 0 || (options.strict === true && findings.length > 0));
}

/** `dynamo-cdk8s normalize`: prints objects as the API server would store them. */
export const normalize: CommandDefinition = {
  description:
    'Print objects as the API server would store them: with defaults, without unknown fields and nulls. Other kinds are printed unchanged. Exit 1 when the cluster rejects an object.',
  examples: [
    { command: 'dynamo-cdk8s normalize -f graph.yaml', does: 'show the defaults that the API server sets' },
    { command: 'dynamo-cdk8s normalize -f graph.yaml -o json | jq .spec', does: 'process the stored object' },
    { command: 'kubectl get dgd -o yaml | dynamo-cdk8s normalize -f - --strict', does: 'fail when a field would be dropped' },
  ],
  define: (command, io, done) => {
    addFilenameOption(command)
      .addOption(new Option('-o, --output <format>', 'how to print the objects').choices(Object.keys(writers)).default('yaml'))
      .option('--strict', 'treat warnings as errors')
      .action(async (options: Options) => done(await run(options, io)));
  },
};
