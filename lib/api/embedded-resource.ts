import { isObject, type Json, type JsonObject } from './json.ts';
import { embeddedMetadataIssues } from './metadata-rules.ts';
import { kindProblem } from './name-rules.ts';
import type { Path } from './path.ts';
import { schemaIssue, shown, type SchemaIssue } from './schema-issue.ts';

function apiVersionProblem(text: string): string | undefined {
  return (text.match(/\//g) ?? []).length > 1 ? 'must have at most one /' : undefined;
}

function textIssues(path: Path, value: Json | undefined, problem: (text: string) => string | undefined): readonly SchemaIssue[] {
  if (value === undefined) return [schemaIssue(path, 'required', 'FieldValueRequired', 'is required')];
  const found = value === '' ? 'must not be empty' : typeof value === 'string' ? problem(value) : 'must be a string';
  return found === undefined ? [] : [schemaIssue(path, 'embedded', 'FieldValueInvalid', `${found}, got ${shown(value)}`)];
}

/** Checks a resource within a resource: it says what it is, and its metadata is in order. */
export function embeddedIssues(value: JsonObject, path: Path): readonly SchemaIssue[] {
  const metadata = value['metadata'];
  return [
    ...textIssues([...path, 'apiVersion'], value['apiVersion'], apiVersionProblem),
    ...textIssues([...path, 'kind'], value['kind'], kindProblem),
    ...(!isObject(metadata) ? [] : embeddedMetadataIssues(metadata, [...path, 'metadata'])),
  ];
}
