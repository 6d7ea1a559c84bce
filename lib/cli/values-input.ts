import { Option, type Command } from 'commander';
import { didYouMean, type Issue } from '../api/index.ts';
import { formatPath, isObject, maximum, printable, type JsonObject, type Path } from '../json/index.ts';
import type { ManifestDocument } from '../manifest/index.ts';
import {
  applySet,
  type ContextOptions,
  mergeLayers,
  type Profile,
  type SetKind,
  type SetOption,
  SetSyntaxError,
  switches,
  type SwitchName,
} from '../platform/index.ts';
import { formatPosition } from './report/index.ts';
import type { Io } from './command.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { repeat } from './option-values.ts';

/** Options of every command that renders a platform release. */
export interface ValuesOptions {
  readonly filename?: readonly string[];
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly setJson?: readonly string[];
  readonly release?: string;
  readonly namespace?: string;
  readonly profile?: Profile;
  readonly switch?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly kubeVersion?: string;
  readonly strict?: boolean;
}

/** The merged values of the user, and a function that finds the source position of an issue. */
export interface ValuesInput {
  readonly values: JsonObject;
  readonly options: ContextOptions;
  /** Lines for stderr about values and options that could not be read. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Formats an issue as a line for stderr, with file, line and column if known. */
  readonly describe: (issue: Issue) => string;
}

const split = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  ...value.split(',').filter((v) => v !== ''),
];

/** Adds `-f`, `--set` and the options for release, namespace and profile to a command. */
export function addValuesOptions(command: Command): Command {
  return addFilenameOption(command, 'values to merge, later ones override earlier ones', false)
    .addOption(
      new Option('--set <key=value>', 'set values as helm does (a.b=1,c={x,y},d[0]=z); may be repeated').argParser(repeat),
    )
    .addOption(new Option('--set-string <key=value>', 'set string values; may be repeated').argParser(repeat))
    .addOption(new Option('--set-json <key=json>', 'set values given as JSON; may be repeated').argParser(repeat))
    .option('--release <name>', 'release name (default: "dynamo-platform")')
    .option('-n, --namespace <name>', 'release namespace (default: "dynamo-system")')
    .addOption(
      new Option(
        '--profile <profile>',
        'hardened (secure), or as the original chart renders (parity) (default: "secure")',
      ).choices(['secure', 'parity']),
    )
    .addOption(
      new Option('--switch <name=on|off>', 'turn one difference between the profiles on or off; may be repeated').argParser(
        repeat,
      ),
    )
    .addOption(
      new Option('--api-versions <list>', 'API versions the cluster serves, such as monitoring.coreos.com/v1').argParser(split),
    )
    .option('--kube-version <version>', 'Kubernetes version of the cluster (default: "1.34.0")')
    .option('--strict', 'treat warnings as errors');
}

function isSwitch(name: string): name is SwitchName {
  return Object.hasOwn(switches, name);
}

function suggestSwitch(name: string): string {
  const known = Object.keys(switches);
  const suggestion = didYouMean(name, known);
  return suggestion === undefined ? `known switches are ${known.join(', ')}` : `${suggestion}?`;
}

/** Parses `name=on|off`; a problem is added to `errors`. */
function parseSwitches(given: readonly string[], errors: string[]): Partial<Record<SwitchName, boolean>> {
  const chosen: Partial<Record<SwitchName, boolean>> = {};
  for (const option of given) {
    const [name = '', state = ''] = option.split('=', 2);
    if (!isSwitch(name)) errors.push(printable(`--switch ${option}: there is no switch '${name}'; ${suggestSwitch(name)}`));
    else if (state !== 'on' && state !== 'off') errors.push(printable(`--switch ${option}: write ${name}=on or ${name}=off`));
    else chosen[name] = state === 'on';
  }
  return chosen;
}

function contextOptions(options: ValuesOptions, errors: string[]): ContextOptions {
  return {
    ...(options.release === undefined ? {} : { release: options.release }),
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    ...(options.kubeVersion === undefined ? {} : { kubeVersion: options.kubeVersion }),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    switches: parseSwitches(options.switch ?? [], errors),
    apiVersions: options.apiVersions ?? [],
  };
}

function applyOptions(values: JsonObject, options: ValuesOptions, errors: string[]): JsonObject {
  // The order of Helm: `Options.MergeValues` in helm.sh/helm/v3/pkg/cli/values.
  const given: readonly (readonly [SetKind, readonly string[] | undefined])[] = [
    ['set-json', options.setJson],
    ['set', options.set],
    ['set-string', options.setString],
  ];
  const sets = given.flatMap(([kind, values]) => (values ?? []).map((text): SetOption => ({ kind, text })));
  let result = values;
  for (const set of sets) {
    try {
      result = applySet(result, set);
    } catch (error) {
      if (!(error instanceof SetSyntaxError)) throw error;
      errors.push(printable(`--${set.kind} ${error.message}`));
    }
  }
  return result;
}

/** The length of the longest prefix of a path that exists in a document. */
function depth(document: ManifestDocument, path: Path): number {
  let value: unknown = document.value;
  for (const [index, step] of path.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return index;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return path.length;
}

/** Reads and merges the values files and `--set` options. */
export async function readValues(options: ValuesOptions, io: Io): Promise<ValuesInput> {
  const inputs = await readInputs(options.filename ?? [], io);
  const errors: string[] = [];
  const warnings: string[] = [];
  for (const issue of inputs.issues)
    (issue.severity === 'error' ? errors : warnings).push(`${formatPosition(issue)} ${printable(issue.message)}`);
  const layers: JsonObject[] = [];
  const files = new Set<string>();
  for (const { file, value } of inputs.documents) {
    if (files.has(file)) errors.push(`${printable(file)}: must contain one document of values, got more`);
    else if (isObject(value)) layers.push(value);
    else
      errors.push(`${printable(file)}: must be a map of values, got ${Array.isArray(value) ? 'a list' : JSON.stringify(value)}`);
    files.add(file);
  }
  const values = applyOptions(mergeLayers(layers), options, errors);
  const describe = (issue: Issue): string => {
    const message = issue.path.length === 0 ? issue.message : `${formatPath(issue.path)}: ${issue.message}`;
    const deepest = maximum(inputs.documents.map((document) => depth(document, issue.path)));
    const source = deepest === 0 ? undefined : inputs.documents.findLast((document) => depth(document, issue.path) === deepest);
    if (source === undefined) return printable(message);
    return `${formatPosition({ file: source.file, ...source.position(issue.path) })} ${printable(message)}`;
  };
  return { values, options: contextOptions(options, errors), errors, warnings, describe };
}
