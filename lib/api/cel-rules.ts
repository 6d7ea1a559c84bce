import type { Json, JsonObject, Path } from '../json/index.ts';
import { schemaIssue, type CauseReason, type SchemaIssue } from './schema-issue.ts';

/** A validation rule in the Common Expression Language, with the check that mirrors it. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
  /** The same decision in TypeScript, on an object that has passed all other checks. */
  readonly holds: (value: Readonly<Record<string, Json | undefined>>) => boolean;
}

/** The one rule of the CRDs: a claim of a graph that the operator is to create. */
export const createdClaim: CelRule = {
  rule: '!has(self.create) || !self.create || (has(self.storageClass) && has(self.size) && has(self.volumeAccessMode))',
  message: 'When create is true, size, storageClass, and volumeAccessMode are required',
  holds: (claim) =>
    claim['create'] !== true || ['storageClass', 'size', 'volumeAccessMode'].every((field) => claim[field] !== undefined),
};

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
