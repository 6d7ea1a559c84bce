/** A scalar. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly start: number;
  readonly text: string;
  /** Whether it is unquoted, so that it may be something other than a string. */
  readonly plain: boolean;
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

/** A list and its items. */
export interface ListNode {
  readonly kind: 'list';
  readonly start: number;
  readonly items: readonly YamlNode[];
  readonly anchor: string | undefined;
}

/** A map; keys and values alternate in `items`. */
export interface MapNode {
  readonly kind: 'map';
  readonly start: number;
  readonly items: readonly YamlNode[];
  readonly anchor: string | undefined;
}

/** A reference to an anchored node. */
export interface AliasNode {
  readonly kind: 'alias';
  readonly start: number;
  readonly name: string;
}

/** One node of a YAML document. */
export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode;

/** Whether a key is the merge key: `<<` unquoted. */
export function isMergeKey(key: YamlNode): boolean {
  return (
    key.kind === 'scalar' && key.text === '<<' && (key.tag === undefined ? key.plain : key.tag === 'tag:yaml.org,2002:merge')
  );
}
