import { type JudgedDocument, judgeDocuments, locateFindings, type RenderSettings, sourceFinding } from '../check/index.ts';
import { isObject } from '../json/index.ts';
import type { Orchestrator } from '../lint/index.ts';
import type { ManifestDocument } from '../manifest/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { addNamespaceOption, orchestratorOption } from './graph-options.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { parseNames, repeat } from './option-values.ts';
import { count, printReport, reportOption, sortFindings, type ReportFormat } from './report/index.ts';
import { validateReviews } from './validate-reviews.ts';

interface Options {
  readonly filename?: readonly string[];
  readonly review?: string;
  readonly old?: readonly string[];
  readonly namespace: string;
  readonly user?: string;
  readonly group?: readonly string[];
  readonly apiGroups?: ReadonlySet<string>;
  readonly orchestrator?: Orchestrator;
  readonly restrictedNamespace?: string;
  readonly excludedNamespaces?: ReadonlySet<string>;
  readonly output: ReportFormat;
  readonly verbose?: boolean;
  readonly strict?: boolean;
}

function settingsOf(options: Options): RenderSettings {
  return {
    namespace: options.namespace,
    user: { username: options.user ?? '', groups: options.group ?? [] },
    apiGroups: options.apiGroups,
    orchestrator: options.orchestrator,
    restrictedNamespace: options.restrictedNamespace,
    excludedNamespaces: options.excludedNamespaces,
  };
}

/** Adds the findings of rendering; the renderer is loaded only if there is something to render. */
async function render(
  judged: readonly JudgedDocument<ManifestDocument>[],
  settings: RenderSettings,
): Promise<readonly JudgedDocument<ManifestDocument>[]> {
  if (judged.every((document) => document.stored === undefined)) return judged;
  const { renderDocuments } = await import('../check/index.ts');
  return renderDocuments(judged, settings);
}

async function validateFiles(files: readonly string[], options: Options, io: Io): Promise<ExitCode> {
  const inputs = await readInputs(files, io);
  const oldInputs = await readInputs(options.old ?? [], io);
  const settings = { ...settingsOf(options), old: oldInputs.documents.map((document) => document.value).filter(isObject) };
  const checked = await render(judgeDocuments(inputs.documents, settings), settings);
  const findings = [...[...inputs.issues, ...oldInputs.issues].map(sourceFinding), ...locateFindings(checked)];
  const objects = checked.filter((document) => document.isDynamo).length;
  const report = {
    findings: sortFindings(findings, inputs.files),
    objects,
    passedBy: checked.length - objects,
    files: inputs.files.length,
  };
  const code = printReport(report, options.output, io, options.strict);
  if (options.old && !checked.some((document) => document.isUpdate))
    io.err('no object of --old is among those of -f: nothing was checked as an update\n');
  if (options.verbose) io.err(`${count(report.passedBy, 'object')} of other kinds skipped\n`);
  return code;
}

/** `dynamo-cdk8s validate`: checks manifests as the API server and the operator's webhooks would. */
export const validate: CommandDefinition = {
  description:
    'Check manifests as the API server and the admission webhooks of the operator would, without a cluster. Other kinds are skipped. Findings go to stdout, the count to stderr; exit 1 when something is wrong.',
  examples: [
    { command: 'dynamo-cdk8s validate -f graph.yaml', does: 'check one file' },
    { command: 'dynamo-cdk8s validate -f deploy/ -o github --strict', does: 'annotate a pull request and fail on warnings too' },
    {
      command: 'kubectl get dgd g -o yaml | dynamo-cdk8s validate -f graph.yaml --old -',
      does: 'check a change against the live object',
    },
    {
      command: 'dynamo-cdk8s validate -f graph.yaml --api-groups inference.networking.k8s.io',
      does: 'check for a cluster that serves the inference API',
    },
    { command: 'dynamo-cdk8s validate --review reviews.jsonl', does: 'answer AdmissionReviews, one per line' },
  ],
  define: (command, io, done) => {
    addNamespaceOption(addFilenameOption(command, 'manifests to check', false))
      .option('--old <path>', 'current objects: those also in -f are checked as updates; may be repeated', repeat)
      .option('--user <name>', 'user that makes the update, such as system:serviceaccount:NAMESPACE:NAME')
      .option('--group <name>', 'a group of that user; may be repeated', repeat)
      .option(
        '--api-groups <names>',
        'API groups the cluster serves, separated by commas; without it, rules that need an API group are skipped',
        parseNames,
      )
      .addOption(orchestratorOption())
      .option('--restrictedNamespace <name>', 'check as an operator restricted to this namespace')
      .option(
        '--excluded-namespaces <names>',
        'namespaces with their own operator, separated by commas: admission skips them',
        parseNames,
      )
      .addOption(reportOption())
      .option('-v, --verbose', 'print how many objects of other kinds were skipped')
      .option('--strict', 'treat warnings as errors')
      .option('--review <path>', 'answer the AdmissionReviews of a file or - (stdin) instead, one JSON object per line')
      .action(async (options: Options) => {
        if ((options.filename === undefined) === (options.review === undefined)) {
          const problem =
            options.review === undefined ? 'nothing to check: name manifests with -f' : '-f and --review exclude each other';
          command.error(`error: ${problem}`);
        }
        if (options.review !== undefined) return done(await validateReviews(options.review, settingsOf(options), io));
        done(await validateFiles(options.filename ?? [], options, io));
      });
  },
};
