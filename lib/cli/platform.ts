import { Option } from 'commander';
import type { Issue, KubernetesObject } from '../api/index.ts';
import { printable, type Json } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import {
  defaultNamespace,
  defaultRelease,
  editorSchema,
  sortByWave,
  type PartResult,
  platformContext,
  renderPlatform,
  valuesWithoutEffect,
  withTitle,
} from '../platform/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { isObjectFormat, objectFormats } from './object-formats.ts';
import { addValuesOptions, readValues, type ValuesInput, type ValuesOptions } from './values-input.ts';
import { addOutputOptions, writeOutput, type OutputOptions } from './write-output.ts';

interface Options extends ValuesOptions, OutputOptions {
  readonly includeCrds?: boolean;
  readonly chart: 'platform' | 'gaie';
  readonly schema?: boolean;
}

/** Prints errors and warnings; returns whether the command must stop. */
export function report(
  io: Io,
  input: ValuesInput,
  issues: readonly Issue[],
  warnings: readonly Issue[],
  strict: boolean,
): boolean {
  const problems = [...input.errors, ...issues.map(input.describe)];
  const allWarnings = [...input.warnings, ...warnings.map(input.describe)];
  for (const problem of problems) io.err(`${problem}\n`);
  for (const warning of allWarnings) io.err(`warning: ${warning}\n`);
  const count = problems.length + (strict ? allWarnings.length : 0);
  if (count > 0) io.err(`${count} ${count === 1 ? 'problem' : 'problems'}\n`);
  return count > 0;
}

async function definitions(): Promise<readonly KubernetesObject[]> {
  const { crds } = await import('../api/index.ts');
  return crds();
}

async function renderGateway({ values, options }: ValuesInput): Promise<PartResult & { readonly notes: readonly string[] }> {
  const { renderGaie } = await import('../platform/gaie/index.ts');
  return { ...renderGaie(values, platformContext(values, options)), notes: [] };
}

async function gatewaySchema(): Promise<Json> {
  const { defaults, schema } = await import('../platform/gaie/index.ts');
  return withTitle('Values of the inference gateway', schema, defaults);
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  if (options.schema) {
    io.out(`${stringifyJson(options.chart === 'gaie' ? await gatewaySchema() : editorSchema(), 2)}\n`);
    return exitCode.done;
  }
  if (isObjectFormat(options.output) && (options.dryRun || options.force)) {
    io.err(`${options.dryRun ? '--dry-run' : '--force'}: needs an output folder; name one with -o\n`);
    return exitCode.wrongInput;
  }
  const input = await readValues(options, io);
  if (input.errors.length > 0) {
    report(io, input, [], [], false);
    return exitCode.wrongInput;
  }
  const rendered = options.chart === 'gaie' ? await renderGateway(input) : renderPlatform(input.values, input.options);
  const ineffective = options.chart === 'gaie' ? [] : valuesWithoutEffect(input.values, input.options);
  if (report(io, input, rendered.issues, [...rendered.warnings, ...ineffective], options.strict ?? false))
    return exitCode.wrongInput;
  const objects = sortByWave([...(options.includeCrds ? await definitions() : []), ...rendered.objects]);
  for (const note of rendered.notes) io.err(`note: ${printable(note)}\n`);
  if (isObjectFormat(options.output)) {
    io.out(objectFormats[options.output](objects));
    return exitCode.done;
  }
  const { objectFiles, orderedFileName } = await import('../gitops/index.ts');
  const files = objectFiles('', objects, (object) => orderedFileName(object, input.options.namespace ?? defaultNamespace));
  const release = input.options.release ?? defaultRelease;
  return writeOutput(files, `platform --chart ${options.chart} --release ${release}`, options, io);
}

/** `dynamo-cdk8s platform`: renders every object of the platform from Helm values. */
export const platform: CommandDefinition = {
  description: 'Render the platform (operator, NATS, etcd, Grove, KAI) from the values of the original Helm chart, without Helm.',
  examples: [
    {
      command: 'dynamo-cdk8s platform -f values.yaml | kubectl apply --server-side -f -',
      does: 'install the platform with the secure profile',
    },
    {
      command: 'dynamo-cdk8s platform -f values.yaml -f prod.yaml --set nats.config.cluster.enabled=true -o manifests/',
      does: 'merge values and write one file per object',
    },
    {
      command: 'dynamo-cdk8s platform -f values.yaml --profile parity',
      does: 'print what helm template prints for the original chart',
    },
    {
      command: 'dynamo-cdk8s platform -f values.yaml --switch network-policies=off',
      does: 'turn off one difference between the profiles',
    },
    { command: 'dynamo-cdk8s platform --schema > values.schema.json', does: 'write a JSON Schema of the values for editors' },
  ],
  define: (command, io, done) => {
    addOutputOptions(addValuesOptions(command))
      .option('--include-crds', 'render the six Dynamo CRDs too', false)
      .addOption(new Option('--chart <chart>', 'which chart to render').choices(['platform', 'gaie']).default('platform'))
      .option('--schema', 'print a JSON Schema of the values and exit')
      .option('-o, --output <yaml|json|name|folder>', 'output format, or a folder to write one file per object into', 'yaml')
      .action(async (options: Options) => done(await run(options, io)));
  },
};
