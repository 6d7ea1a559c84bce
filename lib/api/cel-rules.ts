import type { Json, JsonObject, Path } from '../json/index.ts';
import { schemaIssue, type CauseReason, type SchemaIssue } from './schema-issue.ts';

/** A validation rule in the Common Expression Language (CEL), and the same check in TypeScript. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
  /** Whether the rule holds for an object that has passed all other checks. */
  readonly holds: (value: Readonly<Record<string, Json | undefined>>) => boolean;
}

/** The only CEL rule of the CRDs: the fields of a claim that the operator creates. */
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
 * Errors after which the API server evaluates no CEL rules, since an expression may rely on types, enums and limits of the schema.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
const blocking: ReadonlySet<CauseReason> = new Set<CauseReason>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Evaluates CEL rules, unless an earlier error blocks them. */
export function celIssues(earlier: readonly SchemaIssue[], targets: readonly CelTarget[]): readonly SchemaIssue[] {
  if (earlier.some((issue) => issue.causes.some((cause) => blocking.has(cause.reason)))) return [];
  return targets.flatMap(({ path, value, rules }) =>
    rules.filter((rule) => !rule.holds(value)).map((rule) => schemaIssue(path, 'rule', 'FieldValueInvalid', rule.message)),
  );
}
