/** A number, or its text where the spelling matters (`'0.90'`). */
export type Num = number | `${number}`;

/** A JSON value given as data, or as the text to pass on. */
export type JsonText = Readonly<Record<string, unknown>> | string;

/** How an option is written on the command line. */
export interface OptionFlag {
  /** The option, with dots for nested ones: `parallel.tensor`. */
  readonly option: string;
  readonly flag: string;
  readonly kind: 'number' | 'text' | 'json' | 'switch';
  /** What `false` is written as; without it `false` writes nothing. */
  readonly off?: string;
  /** Other spellings the engine knows. */
  readonly aliases?: readonly string[];
}

/** A place on the command line that is derived from more than one option. */
interface Slot {
  readonly slot: string;
}

/** The order of an engine's command line: options and derived places. */
export type Layout = readonly (OptionFlag | Slot)[];

function read(options: object, path: string): unknown {
  let value: unknown = options;
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return value;
}

/** Writes one option; nothing when it is not given. */
function renderFlag(entry: OptionFlag, value: unknown): string[] {
  if (value === undefined) return [];
  if (entry.kind === 'switch')
    return value === true ? (entry.flag === '' ? [] : [entry.flag]) : entry.off === undefined ? [] : [entry.off];
  return [entry.flag, typeof value === 'string' ? value : JSON.stringify(value)];
}

/** Writes a command line in the layout's order; each slot's arguments come from `slots`. */
export function renderArgs(layout: Layout, options: object, slots: Readonly<Record<string, readonly string[]>>): string[] {
  return layout.flatMap((entry) =>
    'slot' in entry ? (slots[entry.slot] ?? []) : renderFlag(entry, read(options, entry.option)),
  );
}

/** The last value of a flag on a command line, as engines read it. */
export function flagValue(args: readonly string[], names: readonly string[]): string | undefined {
  for (let at = args.length - 1; at >= 0; at--) {
    const arg = args[at] ?? '';
    if (names.includes(arg)) return args[at + 1];
    const name = names.find((n) => arg.startsWith(`${n}=`));
    if (name !== undefined) return arg.slice(name.length + 1);
  }
  return undefined;
}

/** A flag's value as a count; 1 when the flag is absent. */
export function flagCount(args: readonly string[], names: readonly string[]): number {
  const value = Number(flagValue(args, names) ?? 1);
  return Number.isInteger(value) && value > 0 ? value : 1;
}
