import type { KubernetesObject } from '../../lib/api/index.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { PlatformContext } from '../../lib/platform/platform-context.ts';
import { templateString } from '../../lib/platform/go-values.ts';
import type { Part, PartResult } from '../../lib/platform/part.ts';
import { effectiveBlock } from '../../lib/platform/values.ts';
import { contextOf } from './recorded.ts';

/** How a part is rendered in a test; the profile is parity unless told otherwise. */
export interface RenderOptions {
  readonly profile?: 'parity' | 'secure';
  readonly global?: JsonObject;
  readonly context?: Partial<PlatformContext>;
}

/** Freezes a tree, so that a renderer that changes its input fails. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}

/** Renders a part alone from its block of values, as release `r` in namespace `ns`. */
export function renderPart(part: Part, block: JsonObject, options: RenderOptions = {}): PartResult {
  const values = frozen({
    ...(options.global === undefined ? {} : { global: options.global }),
    [part.key]: { enabled: true, ...block },
  });
  const effective = effectiveBlock(part, values);
  return part.render(frozen(effective.values), contextOf('r', 'ns', options.profile ?? 'parity', options.context));
}

/** The rendered object of a kind and, where several are, a name. */
export function objectOf(rendered: PartResult, kind: string, name?: string): KubernetesObject {
  const found = rendered.objects.find((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
  if (found === undefined) throw new Error(`no ${kind} ${name ?? ''}: ${JSON.stringify(rendered.issues)}`);
  return found;
}

/** Kinds and names of what was rendered, sorted. */
export function inventory(rendered: PartResult): readonly string[] {
  return rendered.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();
}

/** A value below an object; numbers index lists, and a list element may be named by its `name`. */
export function dig(root: Json | undefined, ...steps: readonly (string | number)[]): Json | undefined {
  let value = root;
  for (const step of steps) {
    if (Array.isArray(value)) {
      const list: readonly Json[] = value;
      value = typeof step === 'number' ? list[step] : list.find((item) => isObject(item) && item['name'] === step);
    } else value = isObject(value) ? value[String(step)] : undefined;
  }
  return value;
}

/** The pod spec of a workload. */
export function podOf(object: KubernetesObject): JsonObject {
  const template = dig(object, 'spec', ...(object.kind === 'CronJob' ? ['jobTemplate', 'spec'] : []), 'template', 'spec');
  if (!isObject(template)) throw new Error(`${object.kind} has no pods`);
  return template;
}

/** Environment of a container by name of the variable: its value, or the rest of the entry. */
export function environmentOf(container: Json | undefined): Readonly<Record<string, Json | undefined>> {
  const entries = (dig(container, 'env') ?? []) as readonly JsonObject[];
  return Object.fromEntries(entries.map((entry) => [templateString(entry['name']), entry['value'] ?? entry['valueFrom']]));
}
