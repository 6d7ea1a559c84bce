import { Option } from 'commander';
import type { Issue } from '../api/issue.ts';
import type { Json } from '../api/json.ts';
import { normalizeResource } from '../api/normalize.ts';
import { formatPath } from '../api/path.ts';
import { stringifyJson, toYamlDocuments, type ManifestDocument } from '../manifest/index.ts';
import type { CommandDefinition } from './command.ts';
import { addFilenameOption, readInputs } from './inputs.ts';

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

function located(document: ManifestDocument, issue: Issue, severity: string): string {
  const { line, column } = document.position(issue.path);
  return `${document.file}:${line}:${column} ${severity}${formatPath(issue.path)}: ${issue.message}\n`;
}

/** `dynamo-cdk8s normalize`: objects as the API server would store them. */
export const normalize: CommandDefinition = {
  description:
    'Print objects as the API server would store them: defaults in, unknown fields and nulls out. Kinds that are not ours pass unchanged.',
  examples: [
    { command: 'dynamo-cdk8s normalize -f graph.yaml', does: 'see the defaults that the API server fills in' },
    { command: 'dynamo-cdk8s normalize -f graph.yaml -o json | jq .spec', does: 'work on the stored form' },
    { command: 'kubectl get dgd -o yaml | dynamo-cdk8s normalize -f - --strict', does: 'fail when a field would be dropped' },
  ],
  define: (command, io, done) => {
    addFilenameOption(command)
      .addOption(new Option('-o, --output <format>', 'how to print the objects').choices(Object.keys(writers)).default('yaml'))
      .option('--strict', 'treat warnings as errors')
      .action(async (options: Options) => {
        const inputs = await readInputs(options.filename, io);
        let errors = inputs.issues.filter((issue) => issue.severity === 'error').length;
        let warnings = inputs.issues.length - errors;
        for (const issue of inputs.issues)
          io.err(
            `${issue.file}:${issue.line}:${issue.column} ${issue.severity === 'warning' ? 'warning: ' : ''}${issue.message}\n`,
          );
        const objects = inputs.documents.map((document) => {
          const normalized = normalizeResource(document.value);
          for (const issue of normalized.issues) io.err(located(document, issue, ''));
          for (const warning of normalized.warnings) io.err(located(document, warning, 'warning: '));
          errors += normalized.issues.length;
          warnings += normalized.warnings.length;
          return normalized.value;
        });
        if (errors > 0) {
          io.err(`${errors} ${errors === 1 ? 'problem' : 'problems'}\n`);
          return done(1);
        }
        if (objects.length > 0) io.out(writers[options.output](objects));
        done(warnings > 0 && options.strict ? 1 : 0);
      });
  },
};
