import { isObject, type JsonObject, listAt, objectAt } from '../json/index.ts';
import { atPath, templateString, truthy } from './go-values.ts';

/** The source of the webhook certificate. `jobs` is the original's pair of Helm hook Jobs. */
export type CertificateMode = 'cert-manager' | 'external' | 'self-managed' | 'jobs';

/** Which operator runs: the original's published image, or the one of this package. */
export type OperatorKind = 'original' | 'dynamo-cdk8s';

/** An issuer of cert-manager that the cluster already has. */
export interface IssuerReference {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
}

/** Times of a probe in seconds, and its thresholds. */
export type ProbeTimes = Readonly<Record<string, number>>;

/** The block `platform` of the values: settings that the original does not have. Helm ignores it, so the same file works for both. */
export interface PlatformSettings {
  /** Whether monitors are rendered; undefined: when the API `monitoring.coreos.com/v1` is known. */
  readonly monitoring: {
    readonly enabled?: boolean;
    readonly labels: Readonly<Record<string, string>>;
    readonly namespaceLabels: Readonly<Record<string, string>>;
    /** Whether alert rules are rendered. */
    readonly rules: boolean;
    /** Whether a ConfigMap with scrape configuration is rendered, for a Prometheus without its operator. */
    readonly scrapeConfig: boolean;
    /** Namespace whose Grafana sidecar loads the dashboards. */
    readonly dashboards?: string;
    /** Address of Prometheus for a Grafana datasource beside the dashboards. */
    readonly prometheus?: string;
    /** Address of the runbook that alerts link to. */
    readonly runbook?: string;
  };
  /** Whether the KAI queues are rendered; undefined: when the API `scheduling.run.ai/v2` is known. */
  readonly queues: { readonly enabled?: boolean };
  readonly certificates: { readonly mode?: CertificateMode; readonly issuerRef?: IssuerReference };
  /** Whether the release namespace is rendered too, labelled for Pod Security `restricted`. */
  readonly namespace: { readonly create: boolean };
  readonly networkPolicy: {
    /** Ports that the API server listens on. */
    readonly apiServerPorts: readonly number[];
    /** Labels of the namespaces whose pods may reach NATS and etcd; undefined: every namespace. */
    readonly clientNamespaceLabels?: Readonly<Record<string, string>>;
    /** Whether NATS and etcd are intentionally open to every namespace. */
    readonly allowAllNamespaces: boolean;
  };
  /** Settings of the operator that the original does not have. */
  readonly operator: {
    readonly kind: OperatorKind;
    /** Image of the kind `dynamo-cdk8s`; the original's is in its own values. */
    readonly image?: string;
    readonly nodeSelector: JsonObject;
    readonly logLevel?: string;
    readonly priorityClassName?: string;
    /** Strategy of the Deployment; undefined: depends on the replicas. */
    readonly strategy?: JsonObject;
    readonly livenessProbe: ProbeTimes;
    readonly readinessProbe: ProbeTimes;
  };
  /** Digest (`sha256:...`) to pin, by original image reference. */
  readonly imageDigests: Readonly<Record<string, string>>;
  /** Value of `app.kubernetes.io/managed-by`; undefined: depends on the switch `managed-by`. */
  readonly managedBy?: string;
  /** Set of switches to start from. */
  readonly profile?: 'secure' | 'parity';
  /** Single switches that differ from the profile. */
  readonly switches: Readonly<Record<string, boolean>>;
}

const modes: readonly CertificateMode[] = ['cert-manager', 'external', 'self-managed', 'jobs'];

const profiles = ['secure', 'parity'] as const;

function flag(block: JsonObject, path: string): boolean | undefined {
  const value = atPath(block, path);
  return typeof value === 'boolean' ? value : undefined;
}

function flags(block: JsonObject, path: string): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(objectAt(atPath(block, path))).flatMap(([k, v]) => (typeof v === 'boolean' ? [[k, v]] : [])),
  );
}

/** Common ports of API servers: a NetworkPolicy matches the target port, not the Service's port, and it varies between clusters. */
const usualPorts: readonly number[] = [443, 6443, 8443, 16443];

function apiServerPorts(block: JsonObject): readonly number[] {
  const given = listAt(atPath(block, 'networkPolicy.apiServerPorts')).filter((port) => typeof port === 'number');
  return given.length > 0 ? given : usualPorts;
}

function stringMap(block: JsonObject, path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(objectAt(atPath(block, path))).flatMap(([k, v]) =>
      v === null || v === undefined ? [] : [[k, templateString(v)]],
    ),
  );
}

function nonEmptyString(block: JsonObject, path: string): string | undefined {
  const value = atPath(block, path);
  return truthy(value) ? templateString(value) : undefined;
}

/** A map, or undefined if it is empty. */
function filledMap<M extends JsonObject>(map: M): M | undefined {
  return Object.keys(map).length === 0 ? undefined : map;
}

function probeTimes(block: JsonObject, path: string): ProbeTimes {
  return Object.fromEntries(
    Object.entries(objectAt(atPath(block, path))).flatMap(([k, v]) =>
      v === null || v === undefined || v === '' ? [] : [[k, Number(v)]],
    ),
  );
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}

/** Reads the block `platform` of the user's values; a value of the wrong type counts as absent, and the schema reports it. */
export function platformSettings(values: JsonObject): PlatformSettings {
  const block = objectAt(values['platform']);
  const issuer = atPath(block, 'certificates.issuerRef');
  const issuerRef =
    isObject(issuer) && truthy(issuer['name'])
      ? {
          name: templateString(issuer['name']),
          kind: templateString(issuer['kind'] ?? 'Issuer'),
          group: templateString(issuer['group'] ?? 'cert-manager.io'),
        }
      : undefined;
  const mode = modes.find((m) => m === atPath(block, 'certificates.mode'));
  const managedBy = atPath(block, 'managedBy');
  return {
    monitoring: {
      ...optional('enabled', flag(block, 'monitoring.enabled')),
      labels: stringMap(block, 'monitoring.labels'),
      namespaceLabels: stringMap(block, 'monitoring.namespaceLabels'),
      rules: flag(block, 'monitoring.rules') ?? false,
      scrapeConfig: flag(block, 'monitoring.scrapeConfig') ?? false,
      ...optional('dashboards', nonEmptyString(block, 'monitoring.dashboards')),
      ...optional('prometheus', nonEmptyString(block, 'monitoring.prometheus')),
      ...optional('runbook', nonEmptyString(block, 'monitoring.runbook')),
    },
    queues: optional('enabled', flag(block, 'queues.enabled')),
    certificates: { ...optional('mode', mode), ...optional('issuerRef', issuerRef) },
    namespace: { create: flag(block, 'namespace.create') ?? false },
    networkPolicy: {
      apiServerPorts: apiServerPorts(block),
      ...optional('clientNamespaceLabels', filledMap(stringMap(block, 'networkPolicy.clientNamespaceLabels'))),
      allowAllNamespaces: flag(block, 'networkPolicy.allowAllNamespaces') ?? false,
    },
    operator: {
      kind: atPath(block, 'operator.kind') === 'dynamo-cdk8s' ? 'dynamo-cdk8s' : 'original',
      ...optional('image', nonEmptyString(block, 'operator.image')),
      nodeSelector: objectAt(atPath(block, 'operator.nodeSelector')),
      ...optional('logLevel', nonEmptyString(block, 'operator.logLevel')),
      ...optional('priorityClassName', nonEmptyString(block, 'operator.priorityClassName')),
      ...optional('strategy', filledMap(objectAt(atPath(block, 'operator.strategy')))),
      livenessProbe: probeTimes(block, 'operator.livenessProbe'),
      readinessProbe: probeTimes(block, 'operator.readinessProbe'),
    },
    imageDigests: stringMap(block, 'imageDigests'),
    ...optional(
      'profile',
      profiles.find((p) => p === atPath(block, 'profile')),
    ),
    switches: flags(block, 'switches'),
    ...optional('managedBy', typeof managedBy === 'string' && managedBy !== '' ? managedBy : undefined),
  };
}
