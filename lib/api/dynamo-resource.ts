import type { JsonObject } from '../json/index.ts';
import { didYouMean } from './nearest-name.ts';
import { apiVersion, group, kinds, type Kind, type KindDefinition } from './schema/kinds.ts';
import { decodeIssue, shown, type SchemaIssue } from './schema-issue.ts';

/** A definition together with its kind as a literal. */
export type ServedKind = KindDefinition & { readonly kind: Kind };

const names = kinds.map((definition) => definition.kind);

/** Whether an object is of our API group, whatever its version and kind. */
export function isDynamoResource(value: JsonObject): boolean {
  const text = value['apiVersion'];
  return typeof text === 'string' && text.startsWith(`${group}/`);
}

/** The definition of an object's kind, if the API server serves it. */
export function servedKind(value: JsonObject): ServedKind | undefined {
  return value['apiVersion'] === apiVersion ? kinds.find((definition) => definition.kind === value['kind']) : undefined;
}

/**
 * Why an object of our group is not served: another version of our kind, or a mistyped kind. Other products share the group, so a kind
 * that is nothing like ours is none of our business.
 */
export function unservedIssue(value: JsonObject): SchemaIssue | undefined {
  const { kind } = value;
  if (names.some((name) => name === kind))
    return decodeIssue(['apiVersion'], `must be ${apiVersion}, got ${shown(value['apiVersion'])}`);
  const question = typeof kind === 'string' ? didYouMean(kind, names) : undefined;
  return question === undefined ? undefined : decodeIssue(['kind'], `unknown kind ${shown(kind)}, ${question}`);
}
