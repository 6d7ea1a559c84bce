import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, listAt } from '../json/index.ts';
import { atPath, templateString, truthy } from './go-values.ts';
import { imageRewriter, tagOf } from './images.ts';
import { platformSettings, type PlatformSettings } from './settings.ts';
import { switches, type SwitchName } from './switches.ts';

/** A named set of switches. */
export type Profile = 'secure' | 'parity';

/** The context of a release that every part gets: names, switches and capabilities of the cluster. */
export interface PlatformContext {
  /** Release name. */
  readonly release: string;
  /** Release namespace. */
  readonly namespace: string;
  /** Every difference between the profiles: on is the secure behaviour, off is that of the original. */
  readonly switches: Readonly<Record<SwitchName, boolean>>;
  /** API versions known to exist, as `group/version` or `group/version/Kind`. */
  readonly apiVersions: ReadonlySet<string>;
  /** Kubernetes version without the `v`, such as `1.34.0`. */
  readonly kubeVersion: string;
  /** Value of the label `app.kubernetes.io/managed-by`. */
  readonly managedBy: string;
  /** The user's complete values, for a part that depends on another; a renderer gets the effective values of its own part as an argument. */
  readonly values: JsonObject;
  /** The block `platform` of the values. */
  readonly settings: PlatformSettings;
  /** Whether to render ServiceMonitors, PodMonitors and rules: as the settings say, otherwise if their API is known. */
  readonly monitoring: boolean;
  /** Labels of every ServiceMonitor, PodMonitor and PrometheusRule, when the switch `monitor-labels` is on. */
  readonly monitorLabels: Readonly<Record<string, string>>;
  /** Rewrites the registry of an image reference and pins its digest, if the values ask for it. */
  readonly image: (reference: string) => string;
  /** Names of the pull secrets of every pod, when the switch `one-registry` is on. */
  readonly pullSecrets: readonly string[];
  /** SHA-256 of a string, cut to a length, for names and annotations that restart pods when the string changes. */
  readonly checksum: (content: string, length?: number) => string;
  /** The content of a Secret: base64 in `data` if the switch `secret-data` is on, otherwise in `stringData`. */
  readonly secretData: (content: Readonly<Record<string, string>>) => JsonObject;
  /** Tag of an image reference; `unknown` if it has none. */
  readonly tagOf: (reference: string) => string;
  /** Port of an address such as `https://host:2379`, or the fallback if it has none. */
  readonly portOf: (address: string, fallback: number) => number;
  /** Whether the values are already checked: the Helm chart is generated with placeholders that no check would pass. */
  readonly trusted: boolean;
}

/** Options of a release besides the values. */
export interface ContextOptions {
  /**
   * Release name, the prefix of most names.
   * @default 'dynamo-platform'
   */
  readonly release?: string;
  /**
   * Release namespace.
   * @default 'dynamo-system'
   */
  readonly namespace?: string;
  /**
   * Which profile to render: hardened, or as the original chart does.
   * @default - `platform.profile` of the values, 'secure' otherwise
   */
  readonly profile?: Profile;
  /**
   * Single differences between the profiles to turn on or off.
   * @default - those of the profile
   */
  readonly switches?: Readonly<Partial<Record<SwitchName, boolean>>>;
  /**
   * API versions the cluster serves, such as `monitoring.coreos.com/v1`.
   * @default - none beyond Kubernetes itself
   */
  readonly apiVersions?: readonly string[];
  /**
   * Kubernetes version of the cluster.
   * @default '1.34.0'
   */
  readonly kubeVersion?: string;
}

/** Default release name. */
export const defaultRelease = 'dynamo-platform';
/** Default release namespace. */
export const defaultNamespace = 'dynamo-system';

function encoded(content: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
}

function secretName(entry: Json): string {
  return templateString(isObject(entry) ? entry['name'] : entry);
}

function portOf(address: string, fallback: number): number {
  return Number(/:([0-9]+)\/?$/.exec(address)?.[1] ?? fallback);
}

/** Builds the context of one release from the user's merged values. */
export function platformContext(values: JsonObject, options: ContextOptions = {}): PlatformContext {
  const settings = platformSettings(values);
  const profile = options.profile ?? settings.profile ?? 'secure';
  const names = Object.keys(switches) as readonly SwitchName[];
  const on = Object.fromEntries(
    names.map((name) => [name, options.switches?.[name] ?? settings.switches[name] ?? profile === 'secure']),
  ) as Record<SwitchName, boolean>;
  const apiVersions = new Set(options.apiVersions);
  const registry = atPath(values, 'global.imageRegistry');
  return {
    release: options.release ?? defaultRelease,
    namespace: options.namespace ?? defaultNamespace,
    switches: on,
    apiVersions,
    kubeVersion: (options.kubeVersion ?? '1.34.0').replace(/^v/, ''),
    managedBy: settings.managedBy ?? (on['managed-by'] ? 'dynamo-cdk8s' : 'Helm'),
    values,
    settings,
    monitoring: settings.monitoring.enabled ?? apiVersions.has('monitoring.coreos.com/v1'),
    monitorLabels: settings.monitoring.labels,
    image: imageRewriter({
      registry: on['one-registry'] && truthy(registry) ? templateString(registry) : undefined,
      digests: settings.imageDigests,
    }),
    pullSecrets: on['one-registry'] ? listAt(atPath(values, 'global.imagePullSecrets')).map(secretName) : [],
    checksum: (content, length) => createHash('sha256').update(content).digest('hex').slice(0, length),
    secretData: (content) => (on['secret-data'] ? { data: encoded(content) } : { stringData: content }),
    tagOf,
    portOf,
    trusted: false,
  };
}
