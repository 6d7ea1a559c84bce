/** The arguments of each program of the control plane; pure, so that they can be read in one place. */
import { join } from 'node:path';

/** Files of a control plane, inside its folder. */
export function filesOf(folder: string) {
  return {
    etcdData: join(folder, 'etcd'),
    certificates: join(folder, 'certificates'),
    /** Written by the API server itself: its certificate followed by the authority that signed it. */
    ca: join(folder, 'certificates', 'apiserver.crt'),
    serviceAccountKey: join(folder, 'service-account.key'),
    serviceAccountPublicKey: join(folder, 'service-account.pub'),
    tokens: join(folder, 'tokens.csv'),
    /** Signs certificates of users, see `client-certificates.ts`. */
    clientCa: join(folder, 'client-ca.crt'),
    clientCaKey: join(folder, 'client-ca.key'),
    auditPolicy: join(folder, 'audit-policy.json'),
    auditLog: join(folder, 'audit.log'),
    kubeconfigs: join(folder, 'kubeconfigs'),
    connection: join(folder, 'control-plane.json'),
  } as const;
}

/** Free ports of a control plane. */
export interface Ports {
  readonly etcdClient: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
}

/** Arguments of etcd. */
export function etcdArguments(folder: string, { etcdClient, etcdPeer }: Ports): readonly string[] {
  const client = `http://127.0.0.1:${etcdClient}`;
  const peer = `http://127.0.0.1:${etcdPeer}`;
  return [
    `--data-dir=${filesOf(folder).etcdData}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

/** Arguments of kube-apiserver. */
export function apiServerArguments(
  folder: string,
  { etcdClient, apiServer }: Ports,
  admissionPlugins: readonly string[],
): readonly string[] {
  const files = filesOf(folder);
  return [
    `--etcd-servers=http://127.0.0.1:${etcdClient}`,
    `--secure-port=${apiServer}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--cert-dir=${files.certificates}`,
    `--token-auth-file=${files.tokens}`,
    `--client-ca-file=${files.clientCa}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--service-cluster-ip-range=10.0.0.0/16',
    // Pods need no service account here: nothing runs in them.
    '--disable-admission-plugins=ServiceAccount',
    ...(admissionPlugins.length === 0 ? [] : [`--enable-admission-plugins=${admissionPlugins.join(',')}`]),
    '--allow-privileged',
    `--audit-policy-file=${files.auditPolicy}`,
    `--audit-log-path=${files.auditLog}`,
    '--audit-log-mode=blocking',
    // In megabytes; 0 would mean 100, and then the log starts anew.
    '--audit-log-maxsize=1000000',
  ];
}

/** Arguments of kube-controller-manager. */
export function controllerManagerArguments(folder: string, kubeconfig: string, without: readonly string[]): readonly string[] {
  const files = filesOf(folder);
  return [
    `--kubeconfig=${kubeconfig}`,
    '--authentication-skip-lookup',
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.ca}`,
    '--use-service-account-credentials=false',
    '--leader-elect=false',
    '--secure-port=0',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    `--controllers=${['*', ...without.map((name) => `-${name}`)].join(',')}`,
    // kwok reports for a node about once in a minute: it would be called lost now and then, and its pods unready for good.
    '--node-monitor-grace-period=10m',
  ];
}

/** Arguments of kube-scheduler. */
export function schedulerArguments(kubeconfig: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--authentication-skip-lookup',
    '--leader-elect=false',
    '--secure-port=0',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ];
}

/** Arguments of kwok, which plays the kubelet of every node. */
export function kwokArguments(kubeconfig: string, stages: string | undefined): readonly string[] {
  const config = stages === undefined ? [] : [`--config=${stages}`];
  return [`--kubeconfig=${kubeconfig}`, '--manage-all-nodes=true', ...config];
}
