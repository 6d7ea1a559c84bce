import { stringify } from 'yaml';

/** How `yamlText` writes. */
export interface YamlTextOptions {
  /**
   * Whether items of a list stand deeper than the key of the list.
   * @default true
   */
  readonly indentSequences?: boolean;
}

/** YAML of a value as a text, such as an engine's configuration for a key of a ConfigMap; `null` survives, keys keep their order. */
export function yamlText(value: object, options: YamlTextOptions = {}): string {
  return stringify(value, { lineWidth: 0, indentSeq: options.indentSequences ?? true });
}
