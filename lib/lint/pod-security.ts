import { findString, isObject, listAt, objectAt, valueAt, type Json, type JsonObject, type Path } from '../json/index.ts';

/**
 * What Pod Security admission refuses: the controls of https://kubernetes.io/docs/concepts/security/pod-security-standards/ for pods of Linux, as of
 * Kubernetes 1.34. Pure.
 */

/** A level that a namespace can enforce and that refuses pods. */
type PodSecurityLevel = 'baseline' | 'restricted';

/** A control that a pod breaks: its name as the API server prints it, and the first place below the pod's spec that breaks it. */
interface PodSecurityViolation {
  readonly control: string;
  readonly path: Path;
  /** What to set or remove. */
  readonly change: string;
}

/** A container and where it is below the pod's spec. */
interface Container {
  readonly value: JsonObject;
  readonly path: Path;
}

interface Control {
  readonly level: PodSecurityLevel;
  readonly name: string;
  readonly change: string;
  /** The first place that breaks it. */
  readonly broken: (pod: JsonObject, containers: readonly Container[]) => Path | undefined;
}

const context = (value: JsonObject): JsonObject => objectAt(value, 'securityContext');

/** A control over each container. */
function each(test: (container: JsonObject) => readonly (string | number)[] | undefined): Control['broken'] {
  return (_, containers) => {
    for (const { value, path } of containers) {
      const found = test(value);
      if (found !== undefined) return [...path, ...found];
    }
    return undefined;
  };
}

/** A control over the security contexts of the pod and of each container. */
function everyContext(broken: (securityContext: JsonObject) => readonly string[] | undefined): Control['broken'] {
  return (pod, containers) => {
    for (const { value, path } of [{ value: pod, path: [] }, ...containers]) {
      const found = broken(context(value));
      if (found !== undefined) return [...path, 'securityContext', ...found];
    }
    return undefined;
  };
}

const allowedCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(' '),
);
const allowedSysctls = new Set([
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
]);
const allowedVolumes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);
const selinuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

function added(allowed: (capability: string) => boolean): Control['broken'] {
  return each((container) => {
    const index = listAt(context(container), 'capabilities', 'add').findIndex((c) => typeof c !== 'string' || !allowed(c));
    return index < 0 ? undefined : ['securityContext', 'capabilities', 'add', index];
  });
}

/** A requirement that the pod may meet for every container that does not say otherwise. */
function inherited(path: readonly string[], met: (value: Json | undefined) => boolean): Control['broken'] {
  return (pod, containers) => {
    const own = valueAt(context(pod), ...path);
    for (const container of containers) {
      const value = valueAt(context(container.value), ...path) ?? own;
      if (!met(value)) return [...container.path, 'securityContext', ...path];
    }
    return undefined;
  };
}

const controls: readonly Control[] = [
  {
    level: 'baseline',
    name: 'hostProcess',
    change: 'remove windowsOptions.hostProcess',
    broken: everyContext((c) =>
      valueAt(c, 'windowsOptions', 'hostProcess') === true ? ['windowsOptions', 'hostProcess'] : undefined,
    ),
  },
  {
    level: 'baseline',
    name: 'host namespaces',
    change: 'remove hostNetwork, hostPID and hostIPC',
    broken: (pod) => {
      const field = ['hostNetwork', 'hostPID', 'hostIPC'].find((key) => pod[key] === true);
      return field === undefined ? undefined : [field];
    },
  },
  {
    level: 'baseline',
    name: 'privileged',
    change: 'set securityContext.privileged to false',
    broken: each((c) => (context(c)['privileged'] === true ? ['securityContext', 'privileged'] : undefined)),
  },
  {
    level: 'baseline',
    name: 'non-default capabilities',
    change: 'remove it from securityContext.capabilities.add',
    broken: added((capability) => allowedCapabilities.has(capability)),
  },
  {
    level: 'baseline',
    name: 'hostPath volumes',
    change: 'use a claim or an emptyDir',
    broken: (pod) => {
      const index = listAt(pod, 'volumes').findIndex((v) => isObject(v) && isObject(v['hostPath']));
      return index < 0 ? undefined : ['volumes', index, 'hostPath'];
    },
  },
  {
    level: 'baseline',
    name: 'hostPort',
    change: 'remove hostPort',
    broken: each((c) => {
      const index = listAt(c, 'ports').findIndex((p) => (valueAt(p, 'hostPort') ?? 0) !== 0);
      return index < 0 ? undefined : ['ports', index, 'hostPort'];
    }),
  },
  {
    level: 'baseline',
    name: 'host probes',
    change: 'remove host from the probe or hook',
    broken: each((c) => {
      const handlers = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle.postStart', 'lifecycle.preStop'].flatMap(
        (at) => ['httpGet', 'tcpSocket'].map((handler) => [...at.split('.'), handler, 'host']),
      );
      return handlers.find((path) => (findString(c, ...path) ?? '') !== '');
    }),
  },
  {
    level: 'baseline',
    name: 'appArmorProfile',
    change: 'use RuntimeDefault or Localhost',
    broken: everyContext((c) =>
      findString(c, 'appArmorProfile', 'type') === 'Unconfined' ? ['appArmorProfile', 'type'] : undefined,
    ),
  },
  {
    level: 'baseline',
    name: 'seLinuxOptions',
    change: 'remove it',
    broken: everyContext((c) => {
      const options = objectAt(c, 'seLinuxOptions');
      if (!selinuxTypes.has(findString(options, 'type') ?? '')) return ['seLinuxOptions', 'type'];
      const field = ['user', 'role'].find((key) => (findString(options, key) ?? '') !== '');
      return field === undefined ? undefined : ['seLinuxOptions', field];
    }),
  },
  {
    level: 'baseline',
    name: 'procMount',
    change: 'remove it',
    broken: each((c) =>
      (findString(context(c), 'procMount') ?? 'Default') === 'Default' ? undefined : ['securityContext', 'procMount'],
    ),
  },
  {
    level: 'baseline',
    name: 'forbidden sysctls',
    change: 'remove it',
    broken: (pod) => {
      const index = listAt(context(pod), 'sysctls').findIndex((s) => !allowedSysctls.has(findString(s, 'name') ?? ''));
      return index < 0 ? undefined : ['securityContext', 'sysctls', index];
    },
  },
  {
    level: 'baseline',
    name: 'seccompProfile',
    change: 'use RuntimeDefault or Localhost',
    broken: everyContext((c) =>
      findString(c, 'seccompProfile', 'type') === 'Unconfined' ? ['seccompProfile', 'type'] : undefined,
    ),
  },
  {
    level: 'restricted',
    name: 'restricted volume types',
    change: `use ${[...allowedVolumes].join(', ')}`,
    broken: (pod) => {
      const index = listAt(pod, 'volumes').findIndex(
        (v) => isObject(v) && Object.keys(v).some((key) => key !== 'name' && !allowedVolumes.has(key)),
      );
      return index < 0 ? undefined : ['volumes', index];
    },
  },
  {
    level: 'restricted',
    name: 'allowPrivilegeEscalation != false',
    change: 'set securityContext.allowPrivilegeEscalation to false',
    broken: each((c) =>
      context(c)['allowPrivilegeEscalation'] === false ? undefined : ['securityContext', 'allowPrivilegeEscalation'],
    ),
  },
  {
    level: 'restricted',
    name: 'unrestricted capabilities',
    change: 'set securityContext.capabilities.drop to [ALL]',
    broken: each((c) =>
      listAt(context(c), 'capabilities', 'drop').includes('ALL') ? undefined : ['securityContext', 'capabilities', 'drop'],
    ),
  },
  {
    level: 'restricted',
    name: 'unrestricted capabilities',
    change: 'add NET_BIND_SERVICE at most',
    broken: added((capability) => capability === 'NET_BIND_SERVICE'),
  },
  {
    level: 'restricted',
    name: 'runAsNonRoot != true',
    change: 'set securityContext.runAsNonRoot to true',
    broken: inherited(['runAsNonRoot'], (value) => value === true),
  },
  {
    level: 'restricted',
    name: 'runAsUser=0',
    change: 'use another user than 0',
    broken: everyContext((c) => (c['runAsUser'] === 0 ? ['runAsUser'] : undefined)),
  },
  {
    level: 'restricted',
    name: 'seccompProfile',
    change: 'set securityContext.seccompProfile.type to RuntimeDefault',
    broken: inherited(['seccompProfile', 'type'], (value) => value === 'RuntimeDefault' || value === 'Localhost'),
  },
];

/** The controls of a level that a pod's spec breaks, each with its first place. */
export function podSecurityViolations(pod: JsonObject, level: PodSecurityLevel): readonly PodSecurityViolation[] {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    listAt(pod, list).flatMap((value, i): readonly Container[] => (isObject(value) ? [{ value, path: [list, i] }] : [])),
  );
  return controls
    .filter((control) => level === 'restricted' || control.level === 'baseline')
    .flatMap(({ name, change, broken }) => {
      const path = broken(pod, containers);
      return path === undefined ? [] : [{ control: name, path, change }];
    });
}

/** The level that a Namespace enforces, if it refuses anything. */
export function enforcedLevel(namespace: JsonObject | undefined): PodSecurityLevel | undefined {
  const level = findString(namespace, 'metadata', 'labels', 'pod-security.kubernetes.io/enforce');
  return level === 'baseline' || level === 'restricted' ? level : undefined;
}
