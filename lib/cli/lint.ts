import { InvalidArgumentError, Option } from 'commander';
import {
  judgeDocuments,
  lintDocuments,
  locateFindings,
  renderDocuments,
  sourceFinding,
  type LintSettings,
} from '../check/index.ts';
import { isObject, printable } from '../json/index.ts';
import { explainRule, findRule, lintRules, type Orchestrator } from '../lint/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { addNamespaceOption, orchestratorOption } from './graph-options.ts';
import { addFilenameOption, readInputs, stdinName } from './inputs.ts';
import { parseCount, repeat } from './option-values.ts';
import { count, printReport, reportOption, sortFindings, type Finding, type ReportFormat } from './report/index.ts';

interface Options {
  readonly filename?: readonly string[];
  readonly namespace: string;
  readonly output: ReportFormat;
  readonly release?: string;
  readonly orchestrator?: Orchestrator;
  readonly gpusPerNode?: number;
  readonly gpuBudget?: number;
  readonly gitops?: boolean;
  readonly previous?: readonly string[];
  readonly fix?: boolean;
  readonly rules?: boolean;
  readonly explain?: string;
  readonly strict?: boolean;
}

function listRules(format: ReportFormat): string {
  if (format === 'json')
    return `${JSON.stringify(
      lintRules.map(({ id, severity, title }) => ({ id, severity, title })),
      null,
      2,
    )}\n`;
  const width = Math.max(...lintRules.map((entry) => entry.id.length));
  return lintRules.map(({ id, severity, title }) => `${id.padEnd(width)}  ${severity.padEnd(7)}  ${title}\n`).join('');
}

function explain(id: string, io: Io): ExitCode {
  const rule = findRule(id.toUpperCase());
  if (rule === undefined) {
    io.err(`no rule ${printable(id)}; dynamo-cdk8s lint --rules lists them\n`);
    return exitCode.wrongInput;
  }
  io.out(explainRule(rule));
  return exitCode.done;
}

function settingsOf({ namespace, release, orchestrator, gpusPerNode, gpuBudget, gitops }: Options): LintSettings {
  return { namespace, release, orchestrator, gpusPerNode, gpuBudget, gitops };
}

/** Adds the title of its rule to a finding; in text output the message ends with the rule's id, which `--explain` and suppressions use. */
function withRule(finding: Finding, format: ReportFormat): Finding {
  const rule = findRule(finding.id);
  if (rule === undefined) return finding;
  const message = format === 'text' ? `${finding.message} (${finding.id})` : finding.message;
  return { ...finding, message, ruleDescription: rule.title };
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  const files = options.filename ?? [];
  let inputs = await readInputs(files, io);
  let hasWriteError = false;
  if (options.fix) {
    const { fixFiles } = await import('./lint-fix.ts');
    const { applied, problems } = await fixFiles(
      inputs.files.filter((file) => file !== stdinName),
      settingsOf(options),
      io,
    );
    for (const { file, line, id, description } of applied)
      io.err(`fixed ${printable(file)}:${line} ${id}: ${printable(description)}\n`);
    for (const problem of problems) io.err(`${problem}\n`);
    hasWriteError = problems.length > 0;
    if (applied.length > 0) inputs = await readInputs(files, io);
  }
  const previous = await readInputs(options.previous ?? [], io);
  const settings = { ...settingsOf(options), previous: previous.documents.map((d) => d.value).filter(isObject) };
  const linted = lintDocuments(renderDocuments(judgeDocuments(inputs.documents, settings), settings), settings);
  const findings = [...[...inputs.issues, ...previous.issues].map(sourceFinding), ...locateFindings(linted)];
  const objects = linted.filter((document) => document.isDynamo).length;
  const report = {
    findings: sortFindings(
      findings.map((finding) => withRule(finding, options.output)),
      inputs.files,
    ),
    objects,
    passedBy: linted.length - objects,
    files: inputs.files.length,
  };
  const code = printReport(report, options.output, io, options.strict);
  const suppressed = linted.reduce((sum, document) => sum + document.suppressed, 0);
  if (suppressed > 0) io.err(`${count(suppressed, 'finding')} suppressed\n`);
  return hasWriteError && code === exitCode.done ? exitCode.wrongInput : code;
}

function parseRelease(value: string): string {
  if (!/^\d{1,3}\.\d{1,3}(?:\.\d{1,3})?$/.test(value)) throw new InvalidArgumentError('must be a release such as 0.9.0 or 1.2');
  return value;
}

/** `dynamo-cdk8s lint`: finds mistakes in graphs that the API server accepts. */
export const lint: CommandDefinition = {
  description:
    'Find mistakes in graphs and the objects applied with them: roles, sizes, names, references, routing, and objects of the operator that the API server will reject. Findings go to stdout; exit 1 when one is an error.',
  examples: [
    { command: 'dynamo-cdk8s lint -f graph.yaml', does: 'lint one file' },
    {
      command: 'dynamo-cdk8s lint -f deploy/ --orchestrator grove --gpus-per-node 8 --strict',
      does: 'lint a folder as one application and fail on warnings too',
    },
    { command: 'dynamo-cdk8s lint -f graph.yaml --fix', does: 'apply safe fixes, then lint' },
    { command: 'dynamo-cdk8s lint -f deploy/ -o sarif > lint.sarif', does: 'report to code scanning' },
    {
      command: 'git show HEAD:dist/graphs.k8s.yaml | dynamo-cdk8s lint -f dist/ --previous -',
      does: 'also find changes that cannot be applied to a running graph',
    },
    { command: 'dynamo-cdk8s lint --explain DYN-GPU-001', does: 'explain a rule' },
  ],
  define: (command, io, done) => {
    addNamespaceOption(addFilenameOption(command, 'manifests to lint', false))
      .addOption(reportOption())
      .addOption(
        new Option('--release <version>', 'release of the platform; images of other releases are then errors').argParser(
          parseRelease,
        ),
      )
      .addOption(orchestratorOption())
      .addOption(new Option('--gpus-per-node <count>', 'GPUs of one node').argParser(parseCount))
      .addOption(new Option('--gpu-budget <count>', 'GPUs that one graph may use').argParser(parseCount))
      .option('--gitops', 'the manifests are applied from Git')
      .option(
        '--previous <path>',
        'manifests applied before, to find changes that cannot be applied to a running graph; may be repeated',
        repeat,
      )
      .option('--fix', 'apply safe fixes to the files')
      .option('--rules', 'list all rules')
      .option('--explain <id>', 'explain one rule')
      .option('--strict', 'treat warnings as errors')
      .action(async (options: Options) => {
        if (options.explain !== undefined) return done(explain(options.explain, io));
        if (options.rules) {
          io.out(listRules(options.output));
          return done(exitCode.done);
        }
        if (options.filename === undefined) command.error('error: nothing to lint: name manifests with -f');
        if (options.fix && options.filename?.includes('-'))
          command.error('error: --fix changes files in place and cannot change stdin');
        done(await run(options, io));
      });
  },
};
