import { Option } from 'commander';
import { type Issue, normalizeResource } from '../api/index.ts';
import { append, type Json } from '../json/index.ts';
import { locate, sourceFinding } from '../check/index.ts';
import { stringifyJson, toYamlDocuments, type ManifestDocument } from '../manifest/index.ts';
import type { CommandDefinition } from './command.ts';
import { exitCode, exitCodeFor } from './exit-code.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { count, sortFindings, textLine, type Finding } from './report/index.ts';

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

function located(document: ManifestDocument, severity: Finding['severity']): (issue: Issue) => Finding {
  return ({ path, code, message }) => locate(document, { stage: 'schema', severity, id: code, path, message });
}

/** `dynamo-cdk8s normalize`: prints objects as the API server would store them. */
export const normalize: CommandDefinition = {
  description:
    'Print objects as the API server would store them: with defaults, without unknown fields and nulls. Other kinds are printed unchanged.',
  examples: [
    { command: 'dynamo-cdk8s normalize -f graph.yaml', does: 'show the defaults that the API server sets' },
    { command: 'dynamo-cdk8s normalize -f graph.yaml -o json | jq .spec', does: 'process the stored object' },
    { command: 'kubectl get dgd -o yaml | dynamo-cdk8s normalize -f - --strict', does: 'fail when a field would be dropped' },
  ],
  define: (command, io, done) => {
    addFilenameOption(command)
      .addOption(new Option('-o, --output <format>', 'how to print the objects').choices(Object.keys(writers)).default('yaml'))
      .option('--strict', 'treat warnings as errors')
      .action(async (options: Options) => {
        const inputs = await readInputs(options.filename, io);
        const findings: Finding[] = inputs.issues.map(sourceFinding);
        const objects = inputs.documents.map((document) => {
          const { value, issues, warnings } = normalizeResource(document.value);
          append(findings, issues.map(located(document, 'error')));
          append(findings, warnings.map(located(document, 'warning')));
          return value;
        });
        for (const finding of sortFindings(findings, inputs.files)) io.err(textLine(finding, io.colour.err));
        const errors = findings.filter((finding) => finding.severity === 'error').length;
        if (errors > 0) {
          io.err(`${count(errors, 'error')}; nothing was printed\n`);
          return done(exitCode.wrongInput);
        }
        if (objects.length > 0) io.out(writers[options.output](objects));
        done(exitCodeFor(findings.length > 0 && options.strict === true));
      });
  },
};
