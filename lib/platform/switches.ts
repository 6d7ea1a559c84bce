/** One difference between the profiles. `secure` has every switch on, `parity` every switch off. */
export interface SwitchDefinition {
  /** Which part it concerns; `platform` is every part. */
  readonly part: 'platform' | 'operator' | 'nats' | 'etcd' | 'grove' | 'kai' | 'gaie';
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
    on: 'pods pass the Pod Security level `restricted`: no root, no privilege escalation, default seccomp profile, read-only root file system, no unneeded token; files of Secrets are for the user and group of the pod only',
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
    off: 'label `app.kubernetes.io/managed-by` is `Helm`, and the checksum of the NATS configuration is the one Helm takes and empty fields stay that the API server stores, so that adopting a release restarts nothing',
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
    on: '`global.imageRegistry` replaces the registry of every image of every part, and every pod names the Secrets of `global.imagePullSecrets`',
    off: '`global.imageRegistry` is read by etcd only, and trips its image check; `global.imagePullSecrets` by etcd and KAI',
    why: 'an air-gapped cluster needs one value, not twenty',
  },
  'derived-addresses': {
    part: 'operator',
    on: '`--natsAddr` and `--etcdAddr` name the Services that are really rendered, with their port, namespace and cluster domain, and are left out when there is none',
    off: '`RELEASE-nats` and `RELEASE-etcd` in cluster.local, whether such Services exist or not',
    why: 'for some release names, with name overrides or with etcd off, graphs are given an address that nobody answers',
  },
  'target-namespace': {
    part: 'operator',
    on: 'with `namespaceRestriction.targetNamespace` the accounts and roles of graphs, the webhook selector, the monitors and the MPI Secret follow the managed namespace',
    off: 'they stay in the release namespace, where the operator does not look',
    why: 'an operator restricted to another namespace than its own does not work otherwise',
  },
  'operator-version': {
    part: 'operator',
    on: 'an empty image tag means 0.9.1, the newest release that takes flags, and the version label follows the tag',
    off: 'an empty image tag means 0.7.1, the version of the sub chart, and so does the version label',
    why: 'the operator of 0.7.1 does not match the platform of 0.9',
  },
  'version-labels': {
    part: 'platform',
    on: 'the label `app.kubernetes.io/version` of NATS, nats-box and etcd is the tag of their image',
    off: 'it is the version in the metadata of the sub chart: 2.11.1 for NATS, whose image is 2.10.21, and 3.6.4 for etcd, whose image is 3.5.18',
    why: 'a label with another version than the one that runs misleads',
  },
  'release-flags': {
    part: 'operator',
    on: 'the operator gets the flags that the release of its image takes; a release that does not take flags, or lacks one that the values need, is refused',
    off: 'the flags of the recorded chart, among them `--epp-cluster-role-name`, which no published image knows',
    why: 'an operator that is given a flag it does not know ends at once',
  },
  'no-secrets': {
    part: 'platform',
    on: 'a password, key or token in the values of NATS and etcd is an error that says where to put it instead',
    off: 'it is printed where Helm prints it, with a warning',
    why: 'what is in the values is in Git, and in every backup of it',
  },
  'security-blocks': {
    part: 'platform',
    on: '`nats.security` and `etcd.security` turn on authentication and TLS, one switch each, from Secrets they name',
    off: 'the two blocks are not read, as Helm does not read them',
    why: 'the same settings take a dozen values of the original, and some of them put passwords into Git',
  },
  'spread-replicas': {
    part: 'platform',
    on: 'NATS, etcd, Grove and the KAI operator with more than one replica are spread over nodes, and a PodDisruptionBudget guards them',
    off: 'as the values say; etcd, Grove and KAI have no PodDisruptionBudget by default',
    why: 'replicas on one node fall together',
  },
  'nats-nulls': {
    part: 'nats',
    on: 'a null in `nats.config.merge` takes the setting out of nats.conf',
    off: 'it is printed as null, with a warning',
    why: 'the server reads null as a text and does not start',
  },
  'container-resources': {
    part: 'platform',
    on: 'the containers of NATS and KAI request CPU, memory and ephemeral storage, those of NATS with limits; `merge.resources` and `resources` change it',
    off: 'they request nothing unless the values say so',
    why: 'what requests nothing is the first to be evicted, and may fill a node',
  },
  'etcd-job-deadlines': {
    part: 'etcd',
    on: 'a snapshot or defragmentation that could not start within ten minutes is skipped',
    off: 'it starts whenever it can, and after a hundred missed ones never again',
    why: 'a controller that was down for long stops such a CronJob for good',
  },
  'etcd-probes': {
    part: 'etcd',
    on: 'etcd has startup, readiness and liveness probes',
    off: 'as the values say; the platform turns them off',
    why: 'an etcd that hangs is never restarted, and one that is not ready gets traffic',
  },
  'grove-probes': {
    part: 'grove',
    on: 'the Grove operator has readiness and liveness probes',
    off: 'only with `grove.config.server.healthProbes.enable`',
    why: 'an operator that hangs is never restarted',
  },
  'kai-repairs': {
    part: 'kai',
    on: 'the binder has a fixed probe port and no Service port without a target, the pod grouper may read PodCliqueSets, pull secrets may be given as {name}, and the scheduler restarts when its configuration changes',
    off: 'the faults of the original stay',
    why: 'each of them is a plain mistake of version v0.9.4',
  },
  'least-privilege': {
    part: 'operator',
    on: 'the manager role grants what the operator calls and nothing else, and the operator of this package calls less than the original; leader election is granted on its Lease only, profiling in the namespaces of requests and on nodes; nobody may read the certificate Secret through the API; the kinds of Dynamo are part of the roles `view` and `edit`',
    off: 'the manager role grants every verb on every resource',
    why: 'whoever takes over the operator takes over the cluster',
  },
  'proxy-rbac': {
    part: 'operator',
    on: 'reviews may be asked for only where readers of the metrics are judged, through a ClusterRole; an operator with `--metrics-secure` among its arguments has no proxy',
    off: 'the rights are always there; restricted, the binding names a ClusterRole that does not exist',
    why: 'reviews are cluster-scoped: a Role cannot grant them',
  },
  'proxy-image': {
    part: 'operator',
    on: 'the default image of the metrics proxy is quay.io/brancz/kube-rbac-proxy',
    off: 'the default image of the metrics proxy is gcr.io/kubebuilder/kube-rbac-proxy',
    why: 'the registry gcr.io/kubebuilder was closed in March 2025',
  },
  'pull-policy': {
    part: 'operator',
    on: '`controllerManager.manager.image.pullPolicy` is rendered',
    off: 'the value is dead',
    why: 'a value that does nothing misleads',
  },
  'certificate-names': {
    part: 'operator',
    on: 'the serving certificate has no common name and the root a short one; the names are in the SANs',
    off: 'the common name is the full Service name, above the 64 characters that cert-manager allows for the documented release',
    why: 'cert-manager refuses the certificate otherwise, and the webhook never works',
  },
  'certificate-usages': {
    part: 'operator',
    on: 'certificates say what they are for, and each renewal makes a new private key',
    off: 'cert-manager decides both, as its version does by default',
    why: 'a key that is never changed is worth stealing, and one for everything more so',
  },
  'authenticated-metrics': {
    part: 'operator',
    on: 'the metrics proxy asks who reads /metrics, and the ServiceMonitor sends the token of Prometheus; `kubeRbacProxy.args` of the values stay as they are',
    off: 'everybody who reaches the proxy may read them, by `--ignore-paths=/metrics`',
    why: 'metrics name every graph and model of the cluster',
  },
  'registry-by-reference': {
    part: 'operator',
    on: 'registry credentials come from the Secret `dynamo.dockerRegistry.existingSecretName`, which is trusted to exist; credentials in values are refused',
    off: 'credentials in values are rendered as a Secret; an existing Secret is refused, since offline nobody can look it up',
    why: 'credentials do not belong in Git',
  },
  'environment-checksum': {
    part: 'operator',
    on: 'the pod carries a checksum of its environment Secret, so that a change restarts it',
    off: 'a change of the environment is not seen until the next restart',
    why: 'a changed value should take effect',
  },
  'secret-data': {
    part: 'platform',
    on: 'Secrets are written with `data`',
    off: 'Secrets are written with `stringData`',
    why: 'kubectl apply sees a change at every run where `stringData` is given, since the API server never stores it',
  },
  'high-availability': {
    part: 'operator',
    on: 'with more than one replica: rolling update, PodDisruptionBudget, spread over nodes and zones',
    off: 'all replicas are stopped before new ones start, and may share a node',
    why: 'with failurePolicy Fail nothing can be written while no replica serves the webhook',
  },
  'sound-values': {
    part: 'platform',
    on: 'values of the wrong type, names that are too long and what Kubernetes or the operator would refuse later are errors',
    off: 'they are rendered as the original renders them, with a warning',
    why: 'better told now than half-way through an install',
  },
  'gaie-repairs': {
    part: 'gaie',
    on: 'the endpoint picker has an account of its own, role and binding are named after namespace and model, and it logs at level info',
    off: 'the account `default` gets the rights of the fixed ClusterRole `pod-read`, and the picker logs every routing decision',
    why: 'a second installation takes the rights of the first away, and every pod of the namespace has them',
  },
} as const satisfies Readonly<Record<string, SwitchDefinition>>;

/** Name of a switch, as `--switch NAME=on|off` takes it. */
export type SwitchName = keyof typeof switches;
