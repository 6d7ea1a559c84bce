import type { JsonObject } from '../lib/json/index.ts';

const image = 'example.com/x:1';
const hardened: JsonObject = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

/** A pod whose container keeps to `restricted` but for what is given. */
const container = (context: JsonObject = {}, fields: JsonObject = {}, pod: JsonObject = {}): JsonObject => ({
  ...pod,
  containers: [{ name: 'main', image, ...fields, securityContext: { ...hardened, ...context } }],
});
const pod = (fields: JsonObject): JsonObject => container({}, {}, fields);
const without = (key: string, more: JsonObject = {}): JsonObject => {
  const { [key]: _, ...rest } = hardened;
  return { ...more, containers: [{ name: 'main', image, securityContext: rest }] };
};

/** Pods that differ from one that `restricted` admits in one thing each, by what that is. */
export const pods: Readonly<Record<string, JsonObject>> = {
  hardened: container(),
  bare: { containers: [{ name: 'main', image }] },
  'host network': pod({ hostNetwork: true }),
  'host pid': pod({ hostPID: true }),
  'host ipc': pod({ hostIPC: true }),
  'no host network': pod({ hostNetwork: false }),
  privileged: { containers: [{ name: 'main', image, securityContext: { privileged: true } }] },
  'not privileged': container({ privileged: false }),
  'adds SYS_PTRACE': container({ capabilities: { drop: ['ALL'], add: ['SYS_PTRACE'] } }),
  'adds IPC_LOCK': container({ capabilities: { drop: ['ALL'], add: ['IPC_LOCK'] } }),
  'adds CHOWN': container({ capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
  'adds NET_BIND_SERVICE': container({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
  'adds all that baseline allows': container({
    capabilities: {
      drop: ['ALL'],
      add: 'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
        ' ',
      ),
    },
  }),
  'drops one capability': container({ capabilities: { drop: ['CHOWN'] } }),
  'drops nothing': without('capabilities'),
  'host path': pod({ volumes: [{ name: 'v', hostPath: { path: '/x' } }] }),
  'volume of NFS': pod({ volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }),
  'allowed volumes': pod({
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'b', configMap: { name: 'c' } },
      { name: 'c', secret: { secretName: 's' } },
      { name: 'd', persistentVolumeClaim: { claimName: 'p' } },
      { name: 'e', downwardAPI: {} },
      { name: 'f', projected: { sources: [] } },
      { name: 'g', csi: { driver: 'd' } },
      {
        name: 'h',
        ephemeral: {
          volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        },
      },
    ],
  }),
  'host port': container({}, { ports: [{ containerPort: 80, hostPort: 80 }] }),
  'host port 0': container({}, { ports: [{ containerPort: 80, hostPort: 0 }] }),
  'probe of another host': container({}, { livenessProbe: { httpGet: { port: 80, host: 'h' } } }),
  'tcp probe of another host': container({}, { readinessProbe: { tcpSocket: { port: 80, host: 'h' } } }),
  'hook to another host': container({}, { lifecycle: { preStop: { httpGet: { port: 80, host: 'h' } } } }),
  'probe of its own': container({}, { startupProbe: { httpGet: { port: 80 } } }),
  'unconfined AppArmor': container({ appArmorProfile: { type: 'Unconfined' } }),
  'unconfined AppArmor of the pod': pod({ securityContext: { appArmorProfile: { type: 'Unconfined' } } }),
  'default AppArmor': container({ appArmorProfile: { type: 'RuntimeDefault' } }),
  'SELinux type': container({ seLinuxOptions: { type: 'spc_t' } }),
  'SELinux container type': container({ seLinuxOptions: { type: 'container_t' } }),
  'SELinux init type': container({ seLinuxOptions: { type: 'container_init_t' } }),
  'SELinux kvm type': container({ seLinuxOptions: { type: 'container_kvm_t' } }),
  'SELinux engine type': container({ seLinuxOptions: { type: 'container_engine_t' } }),
  'SELinux user': pod({ securityContext: { seLinuxOptions: { user: 'u' } } }),
  'SELinux role': container({ seLinuxOptions: { role: 'r' } }),
  'SELinux level': container({ seLinuxOptions: { level: 's0' } }),
  'unmasked proc': { hostUsers: false, ...container({ procMount: 'Unmasked' }) },
  'default proc': container({ procMount: 'Default' }),
  'unsafe sysctl': pod({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
  'safe sysctls': pod({
    securityContext: {
      sysctls: [
        'kernel.shm_rmid_forced',
        'net.ipv4.ip_local_port_range',
        'net.ipv4.ip_local_reserved_ports',
        'net.ipv4.ip_unprivileged_port_start',
        'net.ipv4.ping_group_range',
        'net.ipv4.tcp_fin_timeout',
        'net.ipv4.tcp_keepalive_intvl',
        'net.ipv4.tcp_keepalive_probes',
        'net.ipv4.tcp_keepalive_time',
        'net.ipv4.tcp_syncookies',
      ].map((name) => ({ name, value: '1' })),
    },
  }),
  'unconfined seccomp': container({ seccompProfile: { type: 'Unconfined' } }),
  'unconfined seccomp of the pod': pod({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
  'local seccomp': container({ seccompProfile: { type: 'Localhost', localhostProfile: 'x' } }),
  'no seccomp': without('seccompProfile'),
  'seccomp of the pod': without('seccompProfile', { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }),
  'may escalate': container({ allowPrivilegeEscalation: true }),
  'does not say whether it may escalate': without('allowPrivilegeEscalation'),
  'may be root': container({ runAsNonRoot: false }),
  'may be root, though the pod may not': { ...container({ runAsNonRoot: false }), securityContext: { runAsNonRoot: true } },
  'does not say whether it may be root': without('runAsNonRoot'),
  'not root by the pod': without('runAsNonRoot', { securityContext: { runAsNonRoot: true } }),
  'user 0': container({ runAsUser: 0, runAsNonRoot: true }),
  'user 0 of the pod': pod({ securityContext: { runAsUser: 0 } }),
  'another user': container({ runAsUser: 1000 }),
  'a bare init container': { ...container(), initContainers: [{ name: 'init', image }] },
  'a second bare container': {
    containers: [
      { name: 'main', image, securityContext: hardened },
      { name: 'side', image },
    ],
  },
  'host process': pod({
    hostNetwork: true,
    securityContext: { windowsOptions: { hostProcess: true } },
  }),
};
