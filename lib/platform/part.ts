import type { Issue, KubernetesObject } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import type { PlatformContext } from './platform-context.ts';

/** What a part renders: its objects in order, and errors and warnings about the values. Paths start at the root of the values (`['nats', ...]`). */
export interface PartResult {
  readonly objects: readonly KubernetesObject[];
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  /**
   * Objects that are rendered in spite of issues, to report all issues together.
   * @default - the objects
   */
  readonly drafts?: readonly KubernetesObject[];
}

/**
 * JSON Schema of a block of values, for editors and checks. In an object with `properties` and without `additionalProperties`, an unknown key is a
 * warning with the nearest known name. `default` is added from the defaults of the part.
 */
export interface ValuesSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly properties?: Readonly<Record<string, ValuesSchema>>;
  readonly additionalProperties?: boolean | ValuesSchema;
  readonly items?: ValuesSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** A part of the platform with its own block of values, like a sub chart of the original. */
export interface Part {
  /** Key of its block in the values, such as `nats`. */
  readonly key: string;
  /** The sub chart's own default values. A user's null removes a key only where the key is in here. */
  readonly defaults: JsonObject;
  /** Values of the platform chart that override the sub chart's defaults. */
  readonly platformDefaults: JsonObject;
  /** Schema of the block, with a description on every key. */
  readonly schema: ValuesSchema;
  /** Values that nothing reads: path below the block (`global.tag`) and what to do instead. */
  readonly dead: Readonly<Record<string, string>>;
  /** Renders the part from its effective values (defaults, platform defaults, the user's values and globals merged; `enabled` is already decided). */
  readonly render: (values: JsonObject, context: PlatformContext) => PartResult;
}
