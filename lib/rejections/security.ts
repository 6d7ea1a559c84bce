import { findString, isObject, type Json, type JsonObject, listAt, type Path } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLocalPath } from './local-path.ts';

const maxId = 2147483647;

function checkIds(context: JsonObject, keys: readonly string[], field: Path, errors: FieldErrors): void {
  for (const key of keys) {
    const value = context[key];
    if (value !== undefined && (Number(value) < 0 || Number(value) > maxId))
      errors.invalid([...field, key], value, `must be between 0 and ${maxId}, inclusive`);
  }
}

function checkProfile(context: JsonObject, key: 'seccompProfile' | 'appArmorProfile', parent: Path, errors: FieldErrors): void {
  const profile = context[key];
  const field = [...parent, key];
  if (!isObject(profile)) return;
  const type = findString(profile, 'type') ?? '';
  const local = findString(profile, 'localhostProfile');
  const at = [...field, 'localhostProfile'];
  if (type !== 'Localhost') {
    if (local !== undefined) errors.invalid(at, local, 'can only be set when type is Localhost');
  } else if (local === undefined || (local === '' && key === 'appArmorProfile'))
    errors.required(at, 'must be set when type is Localhost');
  else if (key === 'seccompProfile') checkLocalPath(local, at, errors);
  else if (local !== local.trim()) errors.invalid(at, local, 'must not be padded with whitespace');
  else if (local.length > 4095) errors.tooLong(at, 4095);
  if (type === '') errors.required([...field, 'type'], 'type is required when a profile is set');
  else if (!['Localhost', 'RuntimeDefault', 'Unconfined'].includes(type))
    errors.unsupported([...field, 'type'], type, ['Localhost', 'RuntimeDefault', 'Unconfined']);
}

/** Checks the security context of a pod. */
export function checkPodSecurity(context: Json | undefined, field: Path, errors: FieldErrors): void {
  if (!isObject(context)) return;
  checkIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], field, errors);
  for (const [i, id] of listAt(context, 'supplementalGroups').entries())
    if (Number(id) < 0 || Number(id) > maxId)
      errors.invalid([...field, 'supplementalGroups', i], id, `must be between 0 and ${maxId}, inclusive`);
  const names = new Set<string>();
  for (const [i, sysctl] of listAt(context, 'sysctls').entries()) {
    const name = findString(sysctl, 'name') ?? '';
    if (name === '') errors.required([...field, 'sysctls', i, 'name']);
    else if (name.length > 253 || !/^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*([a-z0-9][-_a-z0-9]*)?[a-z0-9]$/.test(name))
      errors.invalid(
        [...field, 'sysctls', i, 'name'],
        name,
        'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*([a-z0-9][-_a-z0-9]*)?[a-z0-9]$',
      );
    else if (names.has(name)) errors.duplicate([...field, 'sysctls', i, 'name'], name);
    names.add(name);
  }
  const change = findString(context, 'fsGroupChangePolicy');
  if (change !== undefined && change !== 'OnRootMismatch' && change !== 'Always')
    errors.unsupported([...field, 'fsGroupChangePolicy'], change, ['OnRootMismatch', 'Always']);
  const relabel = findString(context, 'seLinuxChangePolicy');
  if (relabel !== undefined && relabel !== 'Recursive')
    errors.unsupported([...field, 'seLinuxChangePolicy'], relabel, ['Recursive']);
  const groups = findString(context, 'supplementalGroupsPolicy');
  if (groups !== undefined && groups !== 'Merge' && groups !== 'Strict')
    errors.unsupported([...field, 'supplementalGroupsPolicy'], groups, ['Merge', 'Strict']);
  checkProfile(context, 'seccompProfile', field, errors);
  checkProfile(context, 'appArmorProfile', field, errors);
}

/** Sysctls that a pod must not set when it shares the IPC or network namespace with its node. */
const hostNamespaceSysctls = [
  { flag: 'hostIPC', names: /^(?:kernel\.sem$|kernel\.shm|kernel\.msg|fs\.mqueue\.)/ },
  { flag: 'hostNetwork', names: /^net\./ },
] as const;

/**
 * A sysctl name with dots as separators. If the first separator is a slash, dots and slashes are swapped, as in sysctl.d(5).
 * https://kubernetes.io/docs/tasks/administer-cluster/sysctl-cluster/
 */
function dottedName(name: string): string {
  return name.match(/[./]/)?.[0] === '/' ? name.replaceAll(/[./]/g, (c) => (c === '.' ? '/' : '.')) : name;
}

/** Checks that a pod sets no sysctl of a namespace that it shares with its node. */
export function checkHostNamespaceSysctls(spec: JsonObject, field: Path, errors: FieldErrors): void {
  for (const [i, sysctl] of listAt(spec, 'securityContext', 'sysctls').entries())
    for (const { flag, names } of hostNamespaceSysctls) {
      const name = findString(sysctl, 'name') ?? '';
      if (spec[flag] === true && names.test(dottedName(name)))
        errors.invalid([...field, 'securityContext', 'sysctls', i, 'name'], name, `may not be specified when '${flag}' is true`);
    }
}

/** Checks the security context of a container. */
export function checkContainerSecurity(context: Json | undefined, hostUsers: boolean, field: Path, errors: FieldErrors): void {
  if (!isObject(context)) return;
  checkIds(context, ['runAsUser', 'runAsGroup'], field, errors);
  const mount = findString(context, 'procMount');
  if (mount !== undefined && mount !== 'Default' && mount !== 'Unmasked')
    errors.unsupported([...field, 'procMount'], mount, ['Default', 'Unmasked']);
  if (mount === 'Unmasked' && hostUsers)
    errors.invalid([...field, 'procMount'], mount, '`hostUsers` must be false to use `Unmasked`');
  checkProfile(context, 'seccompProfile', field, errors);
  checkProfile(context, 'appArmorProfile', field, errors);
  if (context['allowPrivilegeEscalation'] === false) {
    if (context['privileged'] === true)
      errors.invalid(field, '', 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
    if (listAt(context, 'capabilities', 'add').includes('CAP_SYS_ADMIN'))
      errors.invalid(field, '', 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN');
  }
}
