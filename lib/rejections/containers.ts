import { findString, isObject, type Json, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import { checkEnv, checkEnvFrom } from './env.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkDnsLabel, checkPortName } from './names.ts';
import { checkHandler, checkProbe } from './probes.ts';
import { checkResources } from './quantities.ts';
import { checkContainerSecurity } from './security.ts';
import { checkLocalPath } from './local-path.ts';

/** Settings of a pod that the checks of its containers depend on. */
export interface PodFacts {
  readonly volumes: ReadonlySet<string>;
  /** Volumes backed by a PersistentVolumeClaim; only these can be used as a block device. */
  readonly claims: ReadonlySet<string>;
  readonly resourceClaims: ReadonlySet<string>;
  readonly hostNetwork: boolean;
  readonly hostUsers: boolean;
  /** `terminationGracePeriodSeconds`; the sleep of a lifecycle hook must not exceed it. */
  readonly gracePeriodSeconds: number;
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const protocols = ['TCP', 'UDP', 'SCTP'];

function inRange(port: number): boolean {
  return port >= 1 && port <= 65535;
}

function checkPorts(list: readonly Json[], pod: PodFacts, field: Path, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [i, item] of list.entries()) {
    const at = [...field, i];
    const name = findString(item, 'name') ?? '';
    const [port, hostPort] = ['containerPort', 'hostPort'].map((k) => (isObject(item) ? Number(item[k] ?? 0) : 0));
    if (name !== '') {
      const reasons = checkPortName(name);
      errors.each(reasons, [...at, 'name'], name);
      if (reasons.length === 0 && names.has(name)) errors.duplicate([...at, 'name'], name);
      names.add(name);
    }
    if (port === undefined || port === 0) errors.required([...at, 'containerPort']);
    else if (!inRange(port)) errors.invalid([...at, 'containerPort'], port, 'must be between 1 and 65535, inclusive');
    if (hostPort !== undefined && hostPort !== 0) {
      if (!inRange(hostPort)) errors.invalid([...at, 'hostPort'], hostPort, 'must be between 1 and 65535, inclusive');
      if (pod.hostNetwork && hostPort !== port)
        errors.invalid([...at, 'hostPort'], hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
    const protocol = findString(item, 'protocol') || 'TCP';
    if (!protocols.includes(protocol)) errors.unsupported([...at, 'protocol'], protocol, protocols);
  }
}

function checkMounts(list: readonly Json[], pod: PodFacts, container: JsonObject, field: Path, errors: FieldErrors): void {
  const paths = new Set<string>();
  const devices = new Set(listAt(container, 'volumeDevices').map((d) => findString(d, 'name') ?? ''));
  const devicePaths = new Set(listAt(container, 'volumeDevices').map((d) => findString(d, 'devicePath') ?? ''));
  for (const [i, mount] of list.entries()) {
    const at = [...field, i];
    const [name, path] = [findString(mount, 'name') ?? '', findString(mount, 'mountPath') ?? ''];
    if (name === '') errors.required([...at, 'name']);
    else if (!pod.volumes.has(name)) errors.notFound([...at, 'name'], name);
    if (path === '') errors.required([...at, 'mountPath']);
    if (paths.has(path)) errors.invalid([...at, 'mountPath'], path, 'must be unique');
    paths.add(path);
    if (devices.has(name)) errors.invalid([...at, 'name'], name, 'must not already exist in volumeDevices');
    if (devicePaths.has(path)) errors.invalid([...at, 'mountPath'], path, 'must not already exist as a path in volumeDevices');
    const [sub, expression] = [findString(mount, 'subPath') ?? '', findString(mount, 'subPathExpr') ?? ''];
    if (sub !== '') checkLocalPath(sub, [...at, 'subPath'], errors);
    if (expression !== '') {
      if (sub !== '') errors.invalid([...at, 'subPathExpr'], expression, 'subPathExpr and subPath are mutually exclusive');
      checkLocalPath(expression, [...at, 'subPathExpr'], errors);
    }
    const propagation = findString(mount, 'mountPropagation');
    if (propagation !== undefined) {
      if (!['Bidirectional', 'HostToContainer', 'None'].includes(propagation))
        errors.unsupported([...at, 'mountPropagation'], propagation, ['Bidirectional', 'HostToContainer', 'None']);
      else if (propagation === 'Bidirectional' && objectAt(container, 'securityContext')['privileged'] !== true)
        errors.forbidden(
          [...at, 'mountPropagation'],
          'Bidirectional mount propagation is available only to privileged containers',
        );
    }
    const recursive = findString(mount, 'recursiveReadOnly');
    if (recursive === undefined || recursive === 'Disabled') continue;
    if (recursive !== 'Enabled' && recursive !== 'IfPossible')
      errors.unsupported([...at, 'recursiveReadOnly'], recursive, ['Disabled', 'Enabled', 'IfPossible']);
    else if (!isObject(mount) || mount['readOnly'] !== true)
      errors.forbidden([...at, 'recursiveReadOnly'], 'may only be specified when readOnly is true');
    else if (propagation !== undefined && propagation !== 'None')
      errors.forbidden([...at, 'recursiveReadOnly'], 'may only be specified when mountPropagation is None or not specified');
  }
}

function checkDevices(list: readonly Json[], pod: PodFacts, field: Path, errors: FieldErrors): void {
  const [paths, names] = [new Set<string>(), new Set<string>()];
  for (const [i, device] of list.entries()) {
    const at = [...field, i];
    const [name, path] = [findString(device, 'name') ?? '', findString(device, 'devicePath') ?? ''];
    if (name === '') errors.required([...at, 'name']);
    if (names.has(name)) errors.invalid([...at, 'name'], name, 'must be unique');
    if (path === '') errors.required([...at, 'devicePath']);
    if (paths.has(path)) errors.invalid([...at, 'devicePath'], path, 'must be unique');
    if (path.split('/').includes('..')) errors.invalid([...at, 'devicePath'], path, "can not contain backsteps ('..')");
    if (name !== '' && !pod.volumes.has(name)) errors.notFound([...at, 'name'], name);
    else if (name !== '' && !pod.claims.has(name))
      errors.invalid(
        [...at, 'name'],
        name,
        'can only use volume source type of PersistentVolumeClaim, Ephemeral, or Raw for block mode',
      );
    names.add(name);
    paths.add(path);
  }
}

function checkResizePolicy(list: readonly Json[], field: Path, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [i, item] of list.entries()) {
    const [name, policy] = [findString(item, 'resourceName') ?? '', findString(item, 'restartPolicy') ?? ''];
    if (seen.has(name)) errors.duplicate([...field, i], name);
    if (name !== 'cpu' && name !== 'memory') errors.unsupported(field, name, ['cpu', 'memory']);
    if (policy !== 'NotRequired' && policy !== 'RestartContainer')
      errors.unsupported(field, policy, ['NotRequired', 'RestartContainer']);
    seen.add(name);
  }
}

/** Checks one container; `names` holds the names of the containers checked before. */
export function checkContainer(
  container: JsonObject,
  kind: 'main' | 'init',
  pod: PodFacts,
  names: Set<string>,
  field: Path,
  errors: FieldErrors,
): void {
  const name = findString(container, 'name') ?? '';
  if (name === '') errors.required([...field, 'name']);
  else errors.each(checkDnsLabel(name), [...field, 'name'], name);
  if (names.has(name)) errors.duplicate([...field, 'name'], name);
  names.add(name);
  const image = findString(container, 'image') ?? '';
  if (image === '') errors.required([...field, 'image']);
  const policy = findString(container, 'terminationMessagePolicy') || 'File';
  if (policy !== 'File' && policy !== 'FallbackToLogsOnError')
    errors.unsupported([...field, 'terminationMessagePolicy'], policy, ['File', 'FallbackToLogsOnError']);
  checkPorts(listAt(container, 'ports'), pod, [...field, 'ports'], errors);
  checkEnv(listAt(container, 'env'), [...field, 'env'], errors);
  checkEnvFrom(listAt(container, 'envFrom'), [...field, 'envFrom'], errors);
  checkMounts(listAt(container, 'volumeMounts'), pod, container, [...field, 'volumeMounts'], errors);
  checkDevices(listAt(container, 'volumeDevices'), pod, [...field, 'volumeDevices'], errors);
  const pull = findString(container, 'imagePullPolicy') || 'Always';
  if (!pullPolicies.includes(pull)) errors.unsupported([...field, 'imagePullPolicy'], pull, pullPolicies);
  checkResources(objectAt(container, 'resources'), pod.resourceClaims, [...field, 'resources'], errors);
  checkResizePolicy(listAt(container, 'resizePolicy'), [...field, 'resizePolicy'], errors);
  checkContainerSecurity(container['securityContext'], pod.hostUsers, [...field, 'securityContext'], errors);
  const restart = findString(container, 'restartPolicy');
  const sidecar = kind === 'init' && restart === 'Always';
  if (kind === 'init' && !sidecar && isObject(container['lifecycle']))
    errors.forbidden([...field, 'lifecycle'], 'may not be set for init containers without restartPolicy=Always');
  for (const hook of kind === 'init' && !sidecar ? [] : ['postStart', 'preStop']) {
    const action = objectAt(container, 'lifecycle')[hook];
    if (!isObject(action)) continue;
    const seconds = Number(objectAt(action, 'sleep')['seconds'] ?? 0);
    if (isObject(action['sleep']) && (seconds < 0 || seconds > pod.gracePeriodSeconds))
      errors.invalid(
        [...field, 'lifecycle', hook, 'sleep'],
        seconds,
        `must be non-negative and less than terminationGracePeriodSeconds (${pod.gracePeriodSeconds})`,
      );
    checkHandler(action, ['exec', 'httpGet', 'tcpSocket', 'sleep'], [...field, 'lifecycle', hook], errors);
  }
  for (const probe of ['liveness', 'readiness', 'startup'] as const) {
    const key = `${probe}Probe`;
    if (!isObject(container[key])) continue;
    if (kind === 'init' && !sidecar)
      errors.forbidden([...field, key], 'may not be set for init containers without restartPolicy=Always');
    else checkProbe(container[key], probe, [...field, key], errors);
  }
}
