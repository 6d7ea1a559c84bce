import type { Json, JsonObject } from '../json/index.ts';
import type { ValuesSchema } from './part.ts';

type Fields = Readonly<Record<string, ValuesSchema>>;

/** A switch: true or false. */
export function flag(description: string) {
  return { type: ['boolean', 'null'], description } as const;
}

/** A string; a number or boolean is printed as one. */
export function string(description: string) {
  return { type: ['string', 'number', 'boolean', 'null'], description } as const;
}

/** One of a few strings. */
export function choice<const T extends readonly string[]>(description: string, ...allowed: T) {
  return { type: ['string', 'null'], description, enum: [...allowed, null] } as const;
}

/** A whole number, which may be written in quotes. */
export function integer(description: string, minimum = 0) {
  return { type: ['integer', 'string', 'null'], description, minimum, pattern: '^[0-9]*$' } as const;
}

/** A map with known keys. */
export function block<const P extends Fields>(description: string, properties: P) {
  return { type: ['object', 'null'], description, properties } as const;
}

/** A map whose keys the user chooses, all with values of one shape; any shape when none is given. */
export function mapOf<const S extends ValuesSchema>(description: string, entry: S) {
  return { type: ['object', 'null'], description, additionalProperties: entry } as const;
}

/** A part of a Kubernetes object or of another program's configuration, rendered unchanged. */
export function passThrough(description: string) {
  return { type: ['object', 'null'], description, additionalProperties: true } as const;
}

/** A list. */
export function listOf<const S extends ValuesSchema>(description: string, items: S) {
  return { type: ['array', 'null'], description, items } as const;
}

/** A list of parts of Kubernetes objects, rendered unchanged. */
export function objects(description: string) {
  return listOf(description, passThrough('one entry of the Kubernetes API'));
}

/** Times and thresholds of a probe. */
export function probeTimes(description: string) {
  return block(description, {
    initialDelaySeconds: integer('seconds before the first probe'),
    periodSeconds: integer('seconds between probes', 1),
    timeoutSeconds: integer('seconds a probe may take', 1),
    successThreshold: integer('successes in a row that count', 1),
    failureThreshold: integer('failures in a row that count', 1),
  });
}

/** A list of strings. */
export function strings(description: string) {
  return listOf(description, string('one entry'));
}

interface TypeNames {
  readonly boolean: boolean;
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly null: null;
  readonly array: readonly Json[];
  readonly object: JsonObject;
}

/** The TypeScript type of the values that a schema describes; every key is optional. A number in quotes is allowed only in `--set` and YAML. */
export type ValuesOf<S> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P]?: ValuesOf<P[K]> } | null
  : S extends { readonly items: infer I }
    ? readonly ValuesOf<I>[] | null
    : S extends { readonly additionalProperties: infer A }
      ? (A extends true ? JsonObject : Readonly<Record<string, ValuesOf<A>>>) | null
      : S extends { readonly enum: readonly (infer E)[] }
        ? E
        : S extends { readonly type: readonly ['integer', 'string', 'null'] }
          ? number | null
          : S extends { readonly type: readonly (infer T)[] }
            ? T extends keyof TypeNames
              ? TypeNames[T]
              : Json
            : Json;
