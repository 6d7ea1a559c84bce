import type { Role } from '../engine/base.ts';
import type { FlagOrder, OptionFlag } from '../engine/flag.ts';
import { mockerFlagOrder } from '../engine/mocker.ts';
import { sglangFlagOrder } from '../engine/sglang.ts';
import { trtllmFlagOrder } from '../engine/trtllm.ts';
import { vllmFlagOrder } from '../engine/vllm.ts';

/** Engines by the module that runs them. */
export const modules = {
  'dynamo.vllm': 'vllm',
  'dynamo.sglang': 'sglang',
  'dynamo.trtllm': 'trtllm',
  'dynamo.mocker': 'mocker',
} as const;

/** Engines that can be imported. */
export type ImportedBackend = (typeof modules)[keyof typeof modules];

/** The parsed command line of an engine. */
export interface EngineArgs {
  readonly source: string;
  readonly servedName: string | undefined;
  readonly revision: string | undefined;
  readonly role: Role;
  /** Options by name; nested ones as objects. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly connector: readonly string[] | undefined;
  /** Arguments without an option, in their order. */
  readonly rest: readonly string[];
}

interface Reading {
  source: string | undefined;
  servedName: string | undefined;
  revision: string | undefined;
  role: Role;
  connector: readonly string[] | undefined;
  readonly options: Record<string, unknown>;
}

type SlotReader = (args: readonly string[], reading: Reading) => number;

const flagRole =
  (prefill: readonly string[], decode: readonly string[]): SlotReader =>
  (args, reading) => {
    for (const [role, flags] of [['prefill', prefill] as const, ['decode', decode] as const]) {
      if (!flags.every((flag, at) => args[at] === flag)) continue;
      reading.role = role;
      return flags.length;
    }
    return 0;
  };

const modelSlot =
  (flag: string, nameFlag: string | undefined): SlotReader =>
  (args, reading) => {
    if (args[0] !== flag || args[1] === undefined) return 0;
    reading.source = args[1];
    if (nameFlag === undefined) return 2;
    if (args[2] !== nameFlag || args[3] === undefined) return 0;
    reading.servedName = args[3];
    return 4;
  };

const revisionSlot: SlotReader = (args, reading) => {
  if (args[0] !== '--revision' || args[1] === undefined) return 0;
  reading.revision = args[1];
  return 2;
};

const connectorSlot: SlotReader = (args, reading) => {
  if (args[0] !== '--connector') return 0;
  const end = args.findIndex((a, at) => at > 0 && a.startsWith('-'));
  const names = args.slice(1, end === -1 ? args.length : end);
  if (names.length === 0) return 0;
  reading.connector = names;
  return names.length + 1;
};

const sglangRole: SlotReader = (args, reading) => {
  if (args[0] !== '--disaggregation-mode' || (args[1] !== 'prefill' && args[1] !== 'decode')) return 0;
  const backend = args[2] === '--disaggregation-transfer-backend' ? args[3] : undefined;
  if (backend !== undefined && backend !== 'nixl' && backend !== 'mooncake') return 0;
  const port = args.slice(backend === undefined ? 2 : 4);
  if (port[0] !== '--disaggregation-bootstrap-port' || port[1] === undefined || !isNumber(port[1])) return 0;
  reading.role = args[1];
  if (backend === undefined) reading.options['transferBackend'] = false;
  else if (backend !== 'nixl') reading.options['transferBackend'] = backend;
  if (port[1] !== '12345') reading.options['bootstrapPort'] = Number(port[1]);
  return backend === undefined ? 4 : 6;
};

const engines: Readonly<
  Record<ImportedBackend, { readonly order: FlagOrder; readonly slots: Readonly<Record<string, SlotReader>> }>
> = {
  vllm: {
    order: vllmFlagOrder,
    slots: {
      model: modelSlot('--model', undefined),
      role: flagRole(['--is-prefill-worker'], ['--is-decode-worker']),
      servedName: (args, reading) => {
        if (args[0] !== '--served-model-name' || args[1] === undefined) return 0;
        reading.servedName = args[1];
        return 2;
      },
      revision: revisionSlot,
      connector: connectorSlot,
      events: (args) => (args[0] === '--kv-events-config' && args[1] === '{"enable_kv_cache_events": false}' ? 2 : 0),
    },
  },
  sglang: {
    order: sglangFlagOrder,
    slots: {
      model: modelSlot('--model-path', '--served-model-name'),
      revision: revisionSlot,
      events: (args) =>
        args[0] === '--kv-events-config' && args[1] === '{"publisher":"zmq","topic":"kv-events","endpoint":"tcp://*:5557"}'
          ? 2
          : 0,
      role: sglangRole,
      host: (args) => (args[0] === '--host' && args[1] === '0.0.0.0' ? 2 : 0),
    },
  },
  trtllm: {
    order: trtllmFlagOrder,
    slots: {
      model: modelSlot('--model-path', '--served-model-name'),
      config: (args, reading) => {
        if (args[0] !== '--extra-engine-args' || args[1] === undefined) return 0;
        reading.options['configFile'] = args[1];
        return 2;
      },
      connector: connectorSlot,
      role: flagRole(['--disaggregation-mode', 'prefill'], ['--disaggregation-mode', 'decode']),
      events: (args) => (args[0] === '--publish-events-and-metrics' ? 1 : 0),
    },
  },
  mocker: {
    order: mockerFlagOrder,
    slots: { model: modelSlot('--model-path', '--model-name'), role: flagRole(['--is-prefill-worker'], ['--is-decode-worker']) },
  },
};

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

function put(options: Record<string, unknown>, path: string, value: unknown): void {
  const [head = '', tail] = path.split('.');
  if (tail === undefined) options[head] = value;
  else options[head] = { ...(options[head] as object | undefined), [tail]: value };
}

/** Reads an option, if it renders to the same arguments. */
function readOption(
  entry: OptionFlag,
  args: readonly string[],
): { readonly value: unknown; readonly length: number } | undefined {
  if (entry.kind === 'switch') {
    if (entry.flag !== '' && args[0] === entry.flag) return { value: true, length: 1 };
    return entry.off !== undefined && args[0] === entry.off ? { value: false, length: 1 } : undefined;
  }
  const text = args[1];
  if (args[0] !== entry.flag || text === undefined) return undefined;
  if (entry.kind === 'number') {
    if (!isNumber(text)) return undefined;
    return { value: String(Number(text)) === text ? Number(text) : text, length: 2 };
  }
  return { value: entry.kind === 'json' ? readJson(text) : text, length: 2 };
}

function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

/** Reads options in a given order from the start of a command line; returns the remaining arguments. */
export function readEngineOptions(
  order: FlagOrder,
  args: readonly string[],
  slot: (name: string, args: readonly string[]) => number,
  options: Record<string, unknown>,
): readonly string[] {
  let rest = args;
  for (const entry of order) {
    if ('slot' in entry) rest = rest.slice(slot(entry.slot, rest));
    else {
      const read = readOption(entry, rest);
      if (read === undefined) continue;
      put(options, entry.option, read.value);
      rest = rest.slice(read.length);
    }
  }
  return rest;
}

/** Reads the command line of an engine; undefined if it does not start with the model. With `bare`, only the model is read. */
export function readEngineArgs(backend: ImportedBackend, args: readonly string[], bare = false): EngineArgs | undefined {
  const { order, slots } = engines[backend];
  const reading: Reading = {
    source: undefined,
    servedName: undefined,
    revision: undefined,
    role: 'aggregated',
    connector: undefined,
    options: {},
  };
  const used = bare ? order.slice(0, 1) : order;
  const rest = readEngineOptions(used, args, (name, left) => slots[name]?.(left, reading) ?? 0, reading.options);
  if (reading.source === undefined) return undefined;
  return {
    source: reading.source,
    servedName: reading.servedName,
    revision: reading.revision,
    role: reading.role,
    options: reading.options,
    connector: reading.connector,
    rest,
  };
}
