import { findString, isObject, listAt, objectAt, valueAt, type Json, type JsonObject, type Path } from '../json/index.ts';

/**
 * The controls of Pod Security admission for Linux pods, as of Kubernetes 1.34. Pure.
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */

/** A level that rejects pods. The third level, `privileged`, rejects none. */
type PodSecurityLevel = 'baseline' | 'restricted';

/** A control that a pod violates: its name as the API server prints it, and the first violating path, relative to the pod's spec. */
interface PodSecurityViolation {
  readonly control: string;
  readonly path: Path;
  /** The change to make. */
  readonly change: string;
}

/** A container and its path, relative to the pod's spec. */
interface Container {
  readonly value: JsonObject;
  readonly path: Path;
}

interface Control {
  readonly level: PodSecurityLevel;
  readonly name: string;
  readonly change: string;
  /** The first path that violates the control. */
  readonly violation: (pod: JsonObject, containers: readonly Container[]) => Path | undefined;
}

const securityContext = (value: JsonObject): JsonObject => objectAt(value, 'securityContext');

/** A control of each container. */
function inContainers(test: (container: JsonObject) => readonly (string | number)[] | undefined): Control['violation'] {
  return (_, containers) => {
    for (const { value, path } of containers) {
      const found = test(value);
      if (found !== undefined) return [...path, ...found];
    }
    return undefined;
  };
}

/** A control of the security contexts of the pod and of each container. */
function inSecurityContexts(test: (context: JsonObject) => readonly string[] | undefined): Control['violation'] {
  return (pod, containers) => {
    for (const { value, path } of [{ value: pod, path: [] }, ...containers]) {
      const found = test(securityContext(value));
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

function addedCapabilities(allowed: (capability: string) => boolean): Control['violation'] {
  return inContainers((container) => {
    const index = listAt(securityContext(container), 'capabilities', 'add').findIndex(
      (c) => typeof c !== 'string' || !allowed(c),
    );
    return index < 0 ? undefined : ['securityContext', 'capabilities', 'add', index];
  });
}

/** A required value that a container inherits from the pod's security context unless it sets its own. */
function inherited(path: readonly string[], met: (value: Json | undefined) => boolean): Control['violation'] {
  return (pod, containers) => {
    const own = valueAt(securityContext(pod), ...path);
    for (const container of containers) {
      const value = valueAt(securityContext(container.value), ...path) ?? own;
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
    violation: inSecurityContexts((c) =>
      valueAt(c, 'windowsOptions', 'hostProcess') === true ? ['windowsOptions', 'hostProcess'] : undefined,
    ),
  },
  {
    level: 'baseline',
    name: 'host namespaces',
    change: 'remove hostNetwork, hostPID and hostIPC',
    violation: (pod) => {
      const field = ['hostNetwork', 'hostPID', 'hostIPC'].find((key) => pod[key] === true);
      return field === undefined ? undefined : [field];
    },
  },
  {
    level: 'baseline',
    name: 'privileged',
    change: 'set securityContext.privileged to false',
    violation: inContainers((c) => (securityContext(c)['privileged'] === true ? ['securityContext', 'privileged'] : undefined)),
  },
  {
    level: 'baseline',
    name: 'non-default capabilities',
    change: 'remove the capability from securityContext.capabilities.add',
    violation: addedCapabilities((capability) => allowedCapabilities.has(capability)),
  },
  {
    level: 'baseline',
    name: 'hostPath volumes',
    change: 'use a persistentVolumeClaim or an emptyDir',
    violation: (pod) => {
      const index = listAt(pod, 'volumes').findIndex((v) => isObject(v) && isObject(v['hostPath']));
      return index < 0 ? undefined : ['volumes', index, 'hostPath'];
    },
  },
  {
    level: 'baseline',
    name: 'hostPort',
    change: 'remove hostPort',
    violation: inContainers((c) => {
      const index = listAt(c, 'ports').findIndex((p) => (valueAt(p, 'hostPort') ?? 0) !== 0);
      return index < 0 ? undefined : ['ports', index, 'hostPort'];
    }),
  },
  {
    level: 'baseline',
    name: 'host probes',
    change: 'remove host from the probe or hook',
    violation: inContainers((c) => {
      const handlers = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle.postStart', 'lifecycle.preStop'].flatMap(
        (at) => ['httpGet', 'tcpSocket'].map((handler) => [...at.split('.'), handler, 'host']),
      );
      return handlers.find((path) => (findString(c, ...path) ?? '') !== '');
    }),
  },
  {
    level: 'baseline',
    name: 'appArmorProfile',
    change: 'set appArmorProfile.type to RuntimeDefault or Localhost',
    violation: inSecurityContexts((c) =>
      findString(c, 'appArmorProfile', 'type') === 'Unconfined' ? ['appArmorProfile', 'type'] : undefined,
    ),
  },
  {
    level: 'baseline',
    name: 'seLinuxOptions',
    change: 'remove seLinuxOptions',
    violation: inSecurityContexts((c) => {
      const options = objectAt(c, 'seLinuxOptions');
      if (!selinuxTypes.has(findString(options, 'type') ?? '')) return ['seLinuxOptions', 'type'];
      const field = ['user', 'role'].find((key) => (findString(options, key) ?? '') !== '');
      return field === undefined ? undefined : ['seLinuxOptions', field];
    }),
  },
  {
    level: 'baseline',
    name: 'procMount',
    change: 'remove procMount',
    violation: inContainers((c) =>
      (findString(securityContext(c), 'procMount') ?? 'Default') === 'Default' ? undefined : ['securityContext', 'procMount'],
    ),
  },
  {
    level: 'baseline',
    name: 'forbidden sysctls',
    change: 'remove the sysctl',
    violation: (pod) => {
      const index = listAt(securityContext(pod), 'sysctls').findIndex((s) => !allowedSysctls.has(findString(s, 'name') ?? ''));
      return index < 0 ? undefined : ['securityContext', 'sysctls', index];
    },
  },
  {
    level: 'baseline',
    name: 'seccompProfile',
    change: 'set seccompProfile.type to RuntimeDefault or Localhost',
    violation: inSecurityContexts((c) =>
      findString(c, 'seccompProfile', 'type') === 'Unconfined' ? ['seccompProfile', 'type'] : undefined,
    ),
  },
  {
    level: 'restricted',
    name: 'restricted volume types',
    change: `use only volumes of type ${[...allowedVolumes].join(', ')}`,
    violation: (pod) => {
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
    violation: inContainers((c) =>
      securityContext(c)['allowPrivilegeEscalation'] === false ? undefined : ['securityContext', 'allowPrivilegeEscalation'],
    ),
  },
  {
    level: 'restricted',
    name: 'unrestricted capabilities',
    change: 'set securityContext.capabilities.drop to [ALL]',
    violation: inContainers((c) =>
      listAt(securityContext(c), 'capabilities', 'drop').includes('ALL')
        ? undefined
        : ['securityContext', 'capabilities', 'drop'],
    ),
  },
  {
    level: 'restricted',
    name: 'unrestricted capabilities',
    change: 'add no capability except NET_BIND_SERVICE',
    violation: addedCapabilities((capability) => capability === 'NET_BIND_SERVICE'),
  },
  {
    level: 'restricted',
    name: 'runAsNonRoot != true',
    change: 'set securityContext.runAsNonRoot to true',
    violation: inherited(['runAsNonRoot'], (value) => value === true),
  },
  {
    level: 'restricted',
    name: 'runAsUser=0',
    change: 'set runAsUser to a user other than 0',
    violation: inSecurityContexts((c) => (c['runAsUser'] === 0 ? ['runAsUser'] : undefined)),
  },
  {
    level: 'restricted',
    name: 'seccompProfile',
    change: 'set securityContext.seccompProfile.type to RuntimeDefault',
    violation: inherited(['seccompProfile', 'type'], (value) => value === 'RuntimeDefault' || value === 'Localhost'),
  },
];

/** The controls of a level that a pod's spec violates, each with its first violating path. */
export function podSecurityViolations(pod: JsonObject, level: PodSecurityLevel): readonly PodSecurityViolation[] {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    listAt(pod, list).flatMap((value, i): readonly Container[] => (isObject(value) ? [{ value, path: [list, i] }] : [])),
  );
  return controls
    .filter((control) => level === 'restricted' || control.level === 'baseline')
    .flatMap(({ name, change, violation }) => {
      const path = violation(pod, containers);
      return path === undefined ? [] : [{ control: name, path, change }];
    });
}

/** The level that a Namespace enforces; undefined when it rejects no pod. */
export function enforcedLevel(namespace: JsonObject | undefined): PodSecurityLevel | undefined {
  const level = findString(namespace, 'metadata', 'labels', 'pod-security.kubernetes.io/enforce');
  return level === 'baseline' || level === 'restricted' ? level : undefined;
}
