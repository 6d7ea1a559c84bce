import { isObject, type JsonObject } from '../json/index.ts';
import type { KindDefinition } from './schema/kinds.ts';
import { shown, type SchemaIssue } from './schema-issue.ts';

const maxReplicas = 2 ** 31 - 1;

function replicasProblem(value: unknown): string | undefined {
  if (!Number.isInteger(value) && typeof value !== 'bigint') return 'must be an integer';
  return Number(value) < 0 ? 'must be 0 or more' : Number(value) > maxReplicas ? `must be ${maxReplicas} or less` : undefined;
}

function selectorProblem(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string';
}

/**
 * Validates the fields that the scale subresource reads; the API server checks them separately from the schema.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#scale-subresource
 */
export function scaleIssues(scale: NonNullable<KindDefinition['scale']>, resource: JsonObject): readonly SchemaIssue[] {
  const checks = [
    [scale.specReplicasPath, replicasProblem],
    [scale.statusReplicasPath, replicasProblem],
    [scale.labelSelectorPath, selectorProblem],
  ] as const;
  return checks.flatMap(([field, problem]) => {
    const [, part = '', name = ''] = field.split('.');
    const parent = resource[part];
    const value = isObject(parent) ? parent[name] : parent;
    if (value === undefined) return [];
    const found = isObject(parent) ? problem(value) : 'must be an object';
    if (found === undefined) return [];
    const path = isObject(parent) ? [part, name] : [part];
    return [
      {
        path,
        code: 'scale',
        message: `${found}, got ${shown(value)}`,
        causes: [{ field, reason: 'FieldValueInvalid' as const }],
      },
    ];
  });
}
