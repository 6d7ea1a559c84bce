import type { JsonObject } from '../json/index.ts';
import { lookupKey, type Lookup, type ObjectKind, type Selector, type Snapshot } from './snapshot.ts';

/** Reads a snapshot and collects the look-ups it does not answer. While there are any, what was read is incomplete and must not lead to writes. */
export interface Reader {
  /** One object; undefined where it does not exist. */
  readonly get: (kind: ObjectKind, namespace: string, name: string) => JsonObject | undefined;
  readonly list: (kind: ObjectKind, namespace: string, select: Selector) => readonly JsonObject[];
  /** Questions the snapshot does not answer yet. */
  readonly missing: () => readonly Lookup[];
}

/** A reader of a snapshot. */
export function readerOf({ objects, lists }: Snapshot): Reader {
  const missing = new Map<string, Lookup>();
  return {
    get: ({ apiVersion, kind }, namespace, name) => {
      const lookup: Lookup = { question: 'get', apiVersion, kind, namespace, name };
      const key = lookupKey(lookup);
      const found = objects[key];
      if (found === undefined) missing.set(key, lookup);
      return found ?? undefined;
    },
    list: ({ apiVersion, kind }, namespace, select) => {
      const lookup: Lookup = { question: 'list', apiVersion, kind, namespace, select };
      const key = lookupKey(lookup);
      const found = lists[key];
      if (found === undefined) missing.set(key, lookup);
      return found ?? [];
    },
    missing: () => [...missing.values()],
  };
}
