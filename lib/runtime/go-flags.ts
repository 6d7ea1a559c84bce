/**
 * The command-line syntax of Go's `flag` package: one or two dashes, `--name=value` or `--name value`, booleans with a value only after
 * `=`, the last of several wins, parsing stops at the first word that is not a flag. https://pkg.go.dev/flag#hdr-Command_line_flag_syntax
 */
import { parseDuration } from '../api/index.ts';

/** Type of a flag's value. */
type FlagType = 'string' | 'bool' | 'duration' | FlagChoice;

/** A flag with its own rule for values. */
export interface FlagChoice {
  /** What the help writes in place of a value. */
  readonly placeholder: string;
  /** What is wrong with a value; undefined when it is valid. */
  readonly problem: (value: string) => string | undefined;
}

/** Definition of a command-line flag. */
export interface FlagDefinition {
  readonly name: string;
  readonly type: FlagType;
  /** Value when the flag is absent. */
  readonly default: string;
  /** Description of the flag for the help page. */
  readonly does: string;
}

/** A parsed command line: the given values by flag, or a request for help, or the first error. */
type ParsedFlags =
  | { readonly values: ReadonlyMap<string, string>; readonly rest: readonly string[] }
  | { readonly help: true }
  | { readonly problem: string };

const trueWords = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseWords = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Reads arguments against a table of flags. */
export function parseFlags(definitions: readonly FlagDefinition[], args: readonly string[]): ParsedFlags {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? '';
    if (argument.length < 2 || !argument.startsWith('-')) return { values, rest: args.slice(at) };
    if (argument === '--') return { values, rest: args.slice(at + 1) };
    const body = argument.slice(argument.startsWith('--') ? 2 : 1);
    if (body.startsWith('-') || body.startsWith('=')) return { problem: `bad flag syntax: ${argument}` };
    const equals = body.indexOf('=');
    const name = equals < 0 ? body : body.slice(0, equals);
    const definition = definitions.find((known) => known.name === name);
    if (definition === undefined)
      return name === 'help' || name === 'h' ? { help: true } : { problem: `flag provided but not defined: -${name}` };
    let value = equals < 0 ? undefined : body.slice(equals + 1);
    if (value === undefined && definition.type === 'bool') value = 'true';
    if (value === undefined) {
      at += 1;
      value = args[at];
      if (value === undefined) return { problem: `flag needs an argument: -${name}` };
    }
    const problem = valueProblem(definition, value);
    if (problem !== undefined) return { problem };
    values.set(name, value);
  }
  return { values, rest: [] };
}

function valueProblem({ name, type }: FlagDefinition, value: string): string | undefined {
  if (type === 'string') return undefined;
  if (type === 'bool')
    return trueWords.has(value) || falseWords.has(value)
      ? undefined
      : `invalid boolean value ${JSON.stringify(value)} for -${name}: parse error`;
  const problem = type === 'duration' ? durationProblem(value) : type.problem(value);
  return problem === undefined ? undefined : `invalid value ${JSON.stringify(value)} for flag -${name}: ${problem}`;
}

function durationProblem(value: string): string | undefined {
  const nanoseconds = parseDuration(value);
  const fits = nanoseconds !== undefined && nanoseconds < 2n ** 63n && nanoseconds >= -(2n ** 63n);
  return fits ? undefined : 'parse error';
}

/** The value of a boolean flag. */
export function isTrue(value: string): boolean {
  return trueWords.has(value);
}

/** The flags as a help page lists them: name, placeholder and default on one line, what it does on the next. */
export function describeFlags(definitions: readonly FlagDefinition[]): string {
  return definitions
    .map(({ name, type, default: value, does }) => {
      const placeholder = type === 'bool' ? '' : ` ${typeof type === 'string' ? type : type.placeholder}`;
      const shown = value === '' || (type === 'bool' && value === 'false') ? '' : ` (default ${value})`;
      return `  --${name}${placeholder}${shown}\n      ${does}\n`;
    })
    .join('');
}
