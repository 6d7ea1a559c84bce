import type { JsonObject } from './json.ts';
import { nearestName } from './nearest-name.ts';
import { apiVersion, group, kinds, type Kind, type KindDefinition } from './schema/kinds.ts';
import { decodeIssue, shown, type SchemaIssue } from './schema-issue.ts';

/** A definition together with its kind as a literal. */
export type ServedKind = KindDefinition & { readonly kind: Kind };

const names = kinds.map((definition) => definition.kind);

/** Whether an object is of our API group, whatever its version and kind. */
export function isOurs(value: JsonObject): boolean {
  const text = value['apiVersion'];
  return typeof text === 'string' && text.startsWith(`${group}/`);
}

/** The definition of an object's kind, if the API server serves it. */
export function servedKind(value: JsonObject): ServedKind | undefined {
  return value['apiVersion'] === apiVersion ? kinds.find((definition) => definition.kind === value['kind']) : undefined;
}

/** Why an object of our group is not served: another version, or a kind that does not exist. */
export function unservedIssue(value: JsonObject): SchemaIssue {
  const { kind } = value;
  if (value['apiVersion'] !== apiVersion)
    return decodeIssue(['apiVersion'], `must be ${apiVersion}, got ${shown(value['apiVersion'])}`);
  if (typeof kind !== 'string') return decodeIssue(['kind'], `must name a kind, got ${shown(kind)}`);
  const near = nearestName(kind, names);
  return decodeIssue(
    ['kind'],
    near === undefined ? `must be one of ${names.join(', ')}, got ${shown(kind)}` : `unknown kind ${kind}, did you mean ${near}`,
  );
}
