import { stringify } from 'yaml';

/** Options of `yamlText`. */
export interface YamlTextOptions {
  /**
   * Whether list items are indented deeper than the key of the list.
   * @default true
   */
  readonly indentSequences?: boolean;
}

/** Converts a value to a YAML string, such as an engine's configuration in a ConfigMap; keeps `null` and the order of keys. */
export function yamlText(value: object, options: YamlTextOptions = {}): string {
  return stringify(value, { lineWidth: 0, indentSeq: options.indentSequences ?? true });
}
