import type { JsonObject, Path } from '../json/index.ts';
import { schemaIssue, type CauseReason, type SchemaIssue } from './schema-issue.ts';
import type { CelRule } from './schema/dsl.ts';

/** An object whose schema has CEL rules (`x-kubernetes-validations`). */
export interface CelTarget {
  readonly path: Path;
  readonly value: JsonObject;
  readonly rules: readonly CelRule[];
}

/**
 * Errors that keep the API server from evaluating CEL rules: an expression may rely on types, enums and limits of the schema.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
const blocking: ReadonlySet<CauseReason> = new Set<CauseReason>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** The CEL rules that objects break; none are evaluated after an error that blocks them. */
export function celIssues(earlier: readonly SchemaIssue[], targets: readonly CelTarget[]): readonly SchemaIssue[] {
  if (earlier.some((issue) => issue.causes.some((cause) => blocking.has(cause.reason)))) return [];
  return targets.flatMap(({ path, value, rules }) =>
    rules.filter((rule) => !rule.holds(value)).map((rule) => schemaIssue(path, 'rule', 'FieldValueInvalid', rule.message)),
  );
}
