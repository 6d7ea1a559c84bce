import type { JsonObject } from '../../json/index.ts';
import { toYaml } from '../../manifest/index.ts';
import { defaultOf, valueTree, type ValueTree } from './documented-values.ts';
import type { ChartValue } from './open-values.ts';

/** `values.yaml`: every documented value with its default and a comment. */
export function valuesFile(user: JsonObject, documented: readonly ChartValue[]): string {
  const lines = (node: ValueTree, indent: string): readonly string[] => [
    ...[...node.leaves].flatMap(([key, value]) => [
      `${indent}# ${value.description}${value.choices ? ` (${value.choices.join(', ')})` : ''}`,
      ...toYaml({ [key]: defaultOf(value, user) })
        .trimEnd()
        .split('\n')
        .map((line) => `${indent}${line}`),
    ]),
    ...[...node.branches].flatMap(([key, branch]) => [`${indent}${key}:`, ...lines(branch, `${indent}  `)]),
  ];
  const head = '# Values of the Dynamo platform chart. All other values were fixed when the chart was generated.';
  return `${[head, '', ...lines(valueTree(documented), '')].join('\n')}\n`;
}
