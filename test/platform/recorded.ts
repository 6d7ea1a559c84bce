import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../lib/json/index.ts';
import { platformContext, type PlatformContext } from '../../lib/platform/platform-context.ts';

/** One recorded run of `helm template`: its input, and its objects or its error. */
export interface Recording {
  readonly id: string;
  readonly release: string;
  readonly namespace: string;
  readonly apiVersions: readonly string[];
  readonly kubeVersion: string;
  readonly values: JsonObject;
  readonly ok: boolean;
  readonly error?: string;
  readonly objects?: readonly RecordedObject[];
}

/** An object as Helm printed it. */
export interface RecordedObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
}

const folder = join(import.meta.dirname, 'cases');

/** Every recorded case, in order of its number. */
export function recordings(): readonly Recording[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recording);
}

/** A context of one profile. */
export function contextOf(
  release: string,
  namespace: string,
  profile: 'parity' | 'secure',
  changes: Partial<PlatformContext> = {},
): PlatformContext {
  return { ...platformContext({}, { release, namespace, profile }), ...changes };
}

const silent = new Set(
  'affinity annotations args env envFrom imagePullSecrets namespaceSelector nodeAffinity nodePort podAffinity podAntiAffinity resources seLinuxOptions supplementalGroups sysctls targetPort tolerations volumeClaimTemplates volumeMounts add'.split(
    ' ',
  ),
);

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** An object without what says nothing and without what changes from run to run. */
export function comparable(value: unknown, namespace: string, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, namespace, key));
  if (typeof value === 'string') return value.replaceAll(/grove-operator-cm-[0-9a-f]{8}/g, 'grove-operator-cm-(hash)');
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const plain = comparable(field, namespace, name);
    if (plain === null || plain === undefined || (silent.has(name) && isEmpty(plain))) continue;
    if (name === 'namespace' && key === 'metadata' && plain === namespace) continue;
    const volatile =
      name.startsWith('checksum/') || name === 'jwt-token.pem' || (name === 'etcd-root-password' && key === 'data');
    kept[name] = volatile ? '(varies)' : plain;
  }
  return kept;
}

/** What tells objects apart. */
export function keyOf(object: {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}): string {
  return `${object.kind} ${object.metadata.name}`.replaceAll(/grove-operator-cm-[0-9a-f]{8}/g, 'grove-operator-cm-(hash)');
}

/** Objects by kind and name, in comparable form; Helm's test pods are left out, as generators need not make them. */
export function comparableSet(objects: readonly RecordedObject[], namespace: string): Readonly<Record<string, unknown>> {
  const kept = objects.filter((object) => !object.metadata.name.endsWith('-test-request-reply'));
  return Object.fromEntries(kept.map((object) => [keyOf(object), comparable(object, namespace)]));
}
