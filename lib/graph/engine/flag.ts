/** A number, or a numeric string if the spelling matters (`'0.90'`). */
export type Num = number | `${number}`;

/** A JSON value as data, or as a string that is passed on unchanged. */
export type JsonText = Readonly<Record<string, unknown>> | string;

/** How an option is written on the command line. */
export interface OptionFlag {
  /** Name of the option; nested ones with dots, such as `parallel.tensor`. */
  readonly option: string;
  readonly flag: string;
  readonly kind: 'number' | 'string' | 'json' | 'switch';
  /** Flag for the value `false`; without it, `false` writes no flag. */
  readonly off?: string;
  /** Other names of the flag. */
  readonly aliases?: readonly string[];
}

/** A position on the command line whose arguments are not those of a single option. */
interface Slot {
  readonly slot: string;
}

/** Order of options and slots on a command line. */
export type FlagOrder = readonly (OptionFlag | Slot)[];

function read(options: object, path: string): unknown {
  let value: unknown = options;
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return value;
}

/** The arguments of an option; none if it is not set. */
function renderFlag(entry: OptionFlag, value: unknown): string[] {
  if (value === undefined) return [];
  if (entry.kind === 'switch')
    return value === true ? (entry.flag === '' ? [] : [entry.flag]) : entry.off === undefined ? [] : [entry.off];
  return [entry.flag, typeof value === 'string' ? value : JSON.stringify(value)];
}

/** A command line in a given order; `slots` has the arguments of each slot. */
export function renderArgs(order: FlagOrder, options: object, slots: Readonly<Record<string, readonly string[]>>): string[] {
  return order.flatMap((entry) => ('slot' in entry ? (slots[entry.slot] ?? []) : renderFlag(entry, read(options, entry.option))));
}

/** The value of a flag on a command line; the last one wins, as in Python's argparse. */
export function flagValue(args: readonly string[], names: readonly string[]): string | undefined {
  for (let at = args.length - 1; at >= 0; at--) {
    const arg = args[at] ?? '';
    if (names.includes(arg)) return args[at + 1];
    const name = names.find((n) => arg.startsWith(`${n}=`));
    if (name !== undefined) return arg.slice(name.length + 1);
  }
  return undefined;
}

/** The value of a flag as a positive integer; 1 if the flag is absent or invalid. */
export function flagCount(args: readonly string[], names: readonly string[]): number {
  const value = Number(flagValue(args, names) ?? 1);
  return Number.isInteger(value) && value > 0 ? value : 1;
}
