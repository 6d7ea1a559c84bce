/** One difference between the profiles. `secure` has every switch on, `parity` every switch off. */
export interface SwitchDefinition {
  /** Which part it concerns; `platform` is every part. */
  readonly part: 'platform' | 'operator' | 'nats' | 'etcd' | 'grove' | 'kai';
  /** What happens when it is on. */
  readonly on: string;
  /** What the original does, and what happens when it is off. */
  readonly off: string;
  /** Why on is the better way. */
  readonly why: string;
}

/** Every difference between the profiles: the only place where they may differ. docs/profiles.md is made from this table. */
export const switches = {
  'no-hooks': {
    part: 'platform',
    on: 'no object is a Helm hook: what hooks did is done by ordinary objects, or by nobody where nothing is needed',
    off: 'Jobs, accounts and roles with `helm.sh/hook` annotations, KAI queues as post-install hooks',
    why: 'kubectl, Argo CD and Flux do not run Helm hooks the way Helm does: Jobs run at once and cannot be applied twice',
  },
  'no-random-data': {
    part: 'platform',
    on: 'nothing is generated: a key or password comes from a Secret named in the values, or the feature stays off',
    off: 'the key is present with an empty value and a warning, since the original makes up a new one at every render',
    why: 'random data makes every render differ, restarts pods for nothing and puts secrets in Git',
  },
  'pod-security': {
    part: 'platform',
    on: 'pods pass the Pod Security level `restricted`: no root, no privilege escalation, default seccomp profile, read-only root file system, no unneeded token',
    off: 'the security settings of the values only',
    why: 'namespaces that enforce `restricted` refuse the original pods',
  },
  'network-policies': {
    part: 'platform',
    on: 'NetworkPolicies admit only the traffic each pod needs',
    off: 'only the etcd chart brings a NetworkPolicy, which admits everybody',
    why: 'an open NATS or etcd is an open door to every graph',
  },
  'managed-by': {
    part: 'platform',
    on: 'label `app.kubernetes.io/managed-by` is `dynamo-cdk8s`',
    off: 'label `app.kubernetes.io/managed-by` is `Helm`',
    why: 'the label should name what really manages the object',
  },
  'monitor-labels': {
    part: 'platform',
    on: 'every monitor and rule carries the labels of `platform.monitoring.labels`',
    off: 'the ServiceMonitor carries `release: prometheus`, PodMonitors carry no labels',
    why: 'a Prometheus finds monitors by label, and its release is rarely called prometheus',
  },
  'one-registry': {
    part: 'platform',
    on: '`global.imageRegistry` replaces the registry of every image of every part',
    off: '`global.imageRegistry` is read by etcd only, and trips its image check',
    why: 'an air-gapped cluster needs one value, not twenty',
  },
} as const satisfies Readonly<Record<string, SwitchDefinition>>;

/** Name of a switch, as `--switch NAME=on|off` takes it. */
export type SwitchName = keyof typeof switches;
