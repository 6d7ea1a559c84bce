import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, listAt } from '../json/index.ts';
import { atPath, templateString, truthy } from './go-values.ts';
import { imageRewriter, tagOf } from './images.ts';
import { platformSettings, type PlatformSettings } from './settings.ts';
import { switches, type SwitchName } from './switches.ts';

/** The two sets of switches that have a name. */
export type Profile = 'secure' | 'parity';

/** What a release supplies to every part: its names, its profile switches and what the cluster can do. */
export interface PlatformContext {
  /** Release name, `dynamo-platform` unless told otherwise. */
  readonly release: string;
  /** Release namespace, `dynamo-system` unless told otherwise. */
  readonly namespace: string;
  /** Every named difference between the profiles: on is the secure way, off is the original's. */
  readonly switches: Readonly<Record<SwitchName, boolean>>;
  /** API versions known to exist, as `group/version` or `group/version/Kind`. */
  readonly apiVersions: ReadonlySet<string>;
  /** Kubernetes version without the `v`, such as `1.34.0`. */
  readonly kubeVersion: string;
  /** Value of the label `app.kubernetes.io/managed-by`. */
  readonly managedBy: string;
  /** The user's whole values, for what one part must know of another; a part's own effective values are an argument of its renderer. */
  readonly values: JsonObject;
  /** Our own block of values, `platform`. */
  readonly settings: PlatformSettings;
  /** Whether to render ServiceMonitors, PodMonitors and rules: as the settings say, else when their API is known. */
  readonly monitoring: boolean;
  /** Labels of every ServiceMonitor, PodMonitor and PrometheusRule, when the switch `monitor-labels` is on. */
  readonly monitorLabels: Readonly<Record<string, string>>;
  /** Last step of every image reference: rewrites its registry and pins its digest where the values ask for it. */
  readonly image: (reference: string) => string;
  /** Names of the pull secrets of every pod, when the switch `one-registry` is on. */
  readonly pullSecrets: readonly string[];
  /** Fingerprint of a content, cut to a length, for names and annotations that restart pods when it changes. */
  readonly checksum: (content: string, length?: number) => string;
  /** A Secret's content: under `data` in base64 when the switch `secret-data` is on, else under `stringData`. */
  readonly secretData: (content: Readonly<Record<string, string>>) => JsonObject;
  /** Tag of an image reference; `unknown` where it names none. */
  readonly tagOf: (reference: string) => string;
  /** Port of an address such as `https://host:2379`, or the fallback where it names none. */
  readonly portOf: (address: string, fallback: number) => number;
  /** Whether the values are already checked: the Helm chart is generated with placeholders that no check would pass. */
  readonly trusted: boolean;
}

/** What decides a context besides the values. */
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
   * What to render: done right, or as the original chart does.
   * @default - as the values say in `platform.profile`, 'secure' otherwise
   */
  readonly profile?: Profile;
  /**
   * Single differences between the profiles to turn on or off.
   * @default - as the profile says
   */
  readonly switches?: Readonly<Partial<Record<SwitchName, boolean>>>;
  /**
   * API versions the cluster has, such as `monitoring.coreos.com/v1`.
   * @default - none beyond Kubernetes itself
   */
  readonly apiVersions?: readonly string[];
  /**
   * Kubernetes version of the cluster.
   * @default '1.34.0'
   */
  readonly kubeVersion?: string;
}

/** Release of the documented install. */
export const defaultRelease = 'dynamo-platform';
/** Namespace of the documented install. */
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
