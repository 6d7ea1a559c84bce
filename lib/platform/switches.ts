/** One difference between the profiles. `secure` has every switch on, `parity` every switch off. */
export interface SwitchDefinition {
  /** The part that the switch concerns; `platform` is every part. */
  readonly part: 'platform' | 'operator' | 'nats' | 'etcd' | 'grove' | 'kai' | 'gaie';
  /** What happens when the switch is on. */
  readonly on: string;
  /** What happens when the switch is off, as in the original. */
  readonly off: string;
  /** Why on is better. */
  readonly why: string;
}

/** Every difference between the profiles. `npm run generate` writes docs/profiles.md from this table. */
export const switches = {
  'no-hooks': {
    part: 'platform',
    on: 'no object is a Helm hook; ordinary objects replace the hooks that are needed',
    off: 'Jobs, accounts and roles with `helm.sh/hook` annotations, KAI queues as post-install hooks',
    why: 'kubectl, Argo CD and Flux do not run Helm hooks the way Helm does: Jobs run at once and cannot be applied twice',
  },
  'no-random-data': {
    part: 'platform',
    on: 'nothing is generated: a key or password comes from a Secret named in the values, or the feature stays off',
    off: 'the key is present with an empty value and a warning, since the original generates a new one at every render',
    why: 'random data makes every render differ, restarts pods without need and puts secrets into Git',
  },
  'pod-security': {
    part: 'platform',
    on: 'pods pass the Pod Security level `restricted`: no root, no privilege escalation, default seccomp profile, read-only root file system, no unneeded token; only the user and group of the pod can read files of Secrets',
    off: 'the security settings of the values only',
    why: 'namespaces that enforce `restricted` reject the original pods',
  },
  'network-policies': {
    part: 'platform',
    on: 'NetworkPolicies admit only the traffic each pod needs',
    off: 'only the etcd chart has a NetworkPolicy, which admits all traffic',
    why: 'a client that can connect to NATS or etcd can read and control every graph',
  },
  'managed-by': {
    part: 'platform',
    on: 'label `app.kubernetes.io/managed-by` is `dynamo-cdk8s`',
    off: 'label `app.kubernetes.io/managed-by` is `Helm`; the checksum of the NATS configuration is that of Helm, and empty fields that the API server stores are kept, so that adopting a release restarts nothing',
    why: 'the label should name the tool that manages the object',
  },
  'monitor-labels': {
    part: 'platform',
    on: 'every monitor and rule has the labels of `platform.monitoring.labels`',
    off: 'the ServiceMonitor has the label `release: prometheus`, PodMonitors have no labels',
    why: 'Prometheus selects monitors by label, and its release is rarely named prometheus',
  },
  'one-registry': {
    part: 'platform',
    on: '`global.imageRegistry` replaces the registry of every image of every part, and every pod names the Secrets of `global.imagePullSecrets`',
    off: '`global.imageRegistry` is read by etcd only, and fails its image check; `global.imagePullSecrets` is read by etcd and KAI',
    why: 'an air-gapped cluster needs one value, not twenty',
  },
  'derived-addresses': {
    part: 'operator',
    on: '`--natsAddr` and `--etcdAddr` are the addresses of the rendered Services, with their port, namespace and cluster domain, and are omitted if there is none',
    off: '`RELEASE-nats` and `RELEASE-etcd` in cluster.local, whether such Services exist or not',
    why: 'for some release names, with name overrides or with etcd off, graphs get an address that does not exist',
  },
  'target-namespace': {
    part: 'operator',
    on: 'with `namespaceRestriction.targetNamespace` the accounts and roles of graphs, the webhook selector, the monitors and the MPI Secret follow the managed namespace',
    off: 'they stay in the release namespace, which the operator does not watch',
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
    why: 'a label with another version than the running one is misleading',
  },
  'release-flags': {
    part: 'operator',
    on: 'the operator gets the flags that the release of its image takes; a release that does not take flags, or lacks one that the values need, is an error',
    off: 'the flags of the recorded chart, among them `--epp-cluster-role-name`, which no published image knows',
    why: 'an operator exits at a flag that it does not know',
  },
  'no-secrets': {
    part: 'platform',
    on: 'a password, key or token in the values of NATS and etcd is an error that says where to put it instead',
    off: 'it is printed where Helm prints it, with a warning',
    why: 'values are committed to Git, and are in every backup of it',
  },
  'security-blocks': {
    part: 'platform',
    on: '`nats.security` and `etcd.security` turn on authentication and TLS from existing Secrets',
    off: 'the two blocks are not read, as in Helm',
    why: 'the same settings need a dozen values of the original, and some of them put passwords into Git',
  },
  'spread-replicas': {
    part: 'platform',
    on: 'NATS, etcd, Grove and the KAI operator with more than one replica are spread over nodes and have a PodDisruptionBudget',
    off: 'as the values say; etcd, Grove and KAI have no PodDisruptionBudget by default',
    why: 'replicas on one node fail together',
  },
  'nats-nulls': {
    part: 'nats',
    on: 'a null in `nats.config.merge` removes the setting from nats.conf',
    off: 'it is printed as null, with a warning',
    why: 'the server reads null as a string and does not start',
  },
  'container-resources': {
    part: 'platform',
    on: 'the containers of NATS and KAI request CPU, memory and ephemeral storage, those of NATS with limits; `merge.resources` and `resources` change it',
    off: 'they request nothing unless the values say so',
    why: 'pods without requests are evicted first, and may exhaust a node',
  },
  'etcd-job-deadlines': {
    part: 'etcd',
    on: 'a snapshot or defragmentation that could not start within ten minutes is skipped',
    off: 'it starts whenever it can; after more than 100 missed runs the CronJob never runs again',
    why: 'a long outage of the controller stops such a CronJob permanently: https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/',
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
    off: 'the mistakes of the original are kept',
    why: 'each of them is a bug of version v0.9.4',
  },
  'least-privilege': {
    part: 'operator',
    on: 'the manager role grants only what the operator uses, and the operator of this package uses less than the original; leader election is granted on its Lease only, profiling in the namespaces of requests and on nodes; the operator cannot read the certificate Secret through the API; the roles `view` and `edit` include the Dynamo kinds',
    off: 'the manager role grants every verb on every resource',
    why: 'an attacker who controls the operator controls the cluster',
  },
  'proxy-rbac': {
    part: 'operator',
    on: 'a ClusterRole grants TokenReviews and SubjectAccessReviews, only if requests for metrics are authorized; an operator with `--metrics-secure` among its arguments has no proxy',
    off: 'the rights are always granted; the binding of a restricted operator refers to a ClusterRole that does not exist',
    why: 'these reviews are cluster-scoped: a Role cannot grant them',
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
    off: 'the value has no effect',
    why: 'a value without effect is misleading',
  },
  'certificate-names': {
    part: 'operator',
    on: 'the serving certificate has no common name and the root a short one; the names are in the SANs',
    off: 'the common name is the full Service name, above the 64 characters that cert-manager allows for the documented release',
    why: 'cert-manager rejects the certificate otherwise, and the webhook never works',
  },
  'certificate-usages': {
    part: 'operator',
    on: 'certificates have usages, and each renewal creates a new private key',
    off: 'both are the defaults of the installed cert-manager',
    why: 'a stolen key is more useful if it never changes and is valid for every usage',
  },
  'authenticated-metrics': {
    part: 'operator',
    on: 'the metrics proxy authorizes requests for /metrics, and the ServiceMonitor sends the token of Prometheus; `kubeRbacProxy.args` of the values are used unchanged',
    off: 'every client of the proxy may read them, by `--ignore-paths=/metrics`',
    why: 'metrics name every graph and model of the cluster',
  },
  'registry-by-reference': {
    part: 'operator',
    on: 'registry credentials come from the Secret `dynamo.dockerRegistry.existingSecretName`, which is assumed to exist; credentials in values are an error',
    off: 'credentials in values are rendered as a Secret; an existing Secret is an error, since it cannot be looked up offline',
    why: 'credentials do not belong in Git',
  },
  'environment-checksum': {
    part: 'operator',
    on: 'the pod has a checksum of its environment Secret, so that a change restarts it',
    off: 'a change of the environment takes effect only at the next restart',
    why: 'a changed value should take effect',
  },
  'secret-data': {
    part: 'platform',
    on: 'Secrets are written with `data`',
    off: 'Secrets are written with `stringData`',
    why: 'kubectl apply reports a change at every run with `stringData`, since the API server never stores it',
  },
  'high-availability': {
    part: 'operator',
    on: 'with more than one replica: rolling update, PodDisruptionBudget, spread over nodes and zones',
    off: 'all replicas are stopped before new ones start, and may share a node',
    why: 'with failurePolicy Fail no Dynamo resource can be written while no replica serves the webhook',
  },
  'sound-values': {
    part: 'platform',
    on: 'values of the wrong type, names that are too long, and values that Kubernetes or the operator would reject later are errors',
    off: 'they are rendered as the original renders them, with a warning',
    why: 'an error before the installation is better than a failure during it',
  },
  'gaie-repairs': {
    part: 'gaie',
    on: 'the endpoint picker has its own account, role and binding are named after namespace and model, and it logs at level info',
    off: 'the account `default` gets the rights of the fixed ClusterRole `pod-read`, and the picker logs every routing decision',
    why: 'a second installation removes the rights of the first, and every pod of the namespace has them',
  },
} as const satisfies Readonly<Record<string, SwitchDefinition>>;

/** Name of a switch, as `--switch NAME=on|off` takes it. */
export type SwitchName = keyof typeof switches;
