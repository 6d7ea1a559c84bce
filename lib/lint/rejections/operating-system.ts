import { findString, isObject, type JsonObject, listAt, type Path, valueAt } from '../../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkDnsSubdomain } from './names.ts';

const podFields = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'];
const podContext = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
];
const containerContext = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

function forbid(holder: JsonObject | undefined, keys: readonly string[], os: string, field: Path, errors: FieldErrors): void {
  for (const key of keys)
    if (holder?.[key] !== undefined && holder[key] !== false) errors.forbidden([...field, key], `cannot be set for a ${os} pod`);
}

function checkWindowsOptions(context: JsonObject, field: Path, errors: FieldErrors): void {
  const options = context['windowsOptions'];
  if (!isObject(options)) return;
  const at = [...field, 'windowsOptions'];
  const [spec, user] = [findString(options, 'gmsaCredentialSpecName'), findString(options, 'runAsUserName')];
  if (spec !== undefined) errors.each(checkDnsSubdomain(spec), [...at, 'gmsaCredentialSpecName'], spec);
  if (findString(options, 'gmsaCredentialSpec') === '')
    errors.invalid([...at, 'gmsaCredentialSpec'], '', 'gmsaCredentialSpec cannot be an empty string');
  if (user === '') errors.invalid([...at, 'runAsUserName'], user, 'runAsUserName cannot be an empty string');
}

/** Checks what a pod's operating system allows, and the options for Windows. */
export function checkOs(spec: JsonObject, field: Path, errors: FieldErrors): void {
  const os = findString(spec, 'os', 'name');
  const pod = isObject(spec['securityContext']) ? spec['securityContext'] : {};
  const containers = ['containers', 'initContainers'].flatMap((list) =>
    listAt(spec, list).map((c, i) => ({
      context: isObject(c) && isObject(c['securityContext']) ? c['securityContext'] : {},
      path: [...field, list, i, 'securityContext'],
    })),
  );
  if (isObject(spec['os']) && (os ?? '') === '') errors.required([...field, 'os', 'name'], 'cannot be empty');
  else if (os !== undefined && os !== 'linux' && os !== 'windows') errors.unsupported([...field, 'os'], os, ['linux', 'windows']);
  if (os === 'windows') {
    forbid(spec, podFields, os, field, errors);
    forbid(pod, podContext, os, [...field, 'securityContext'], errors);
    for (const { context, path } of containers) forbid(context, containerContext, os, path, errors);
  }
  const contexts = [{ context: pod, path: [...field, 'securityContext'] }, ...containers];
  for (const { context, path } of contexts) {
    checkWindowsOptions(context, path, errors);
    if (os === 'linux') forbid(context, ['windowsOptions'], os, path, errors);
  }
  const hostProcess = contexts.some(({ context }) => valueAt(context, 'windowsOptions', 'hostProcess') === true);
  if (hostProcess && spec['hostNetwork'] !== true)
    errors.invalid([...field, 'hostNetwork'], false, 'hostNetwork must be true if pod contains any hostProcess containers');
}
