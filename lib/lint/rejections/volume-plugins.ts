import { findString, isObject, type JsonObject, listAt, type Path } from '../../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLocalPath } from './local-path.ts';
import { checkDnsLabel } from './names.ts';

/** A check of one source of a volume. */
export type SourceCheck = (source: JsonObject, field: Path, errors: FieldErrors) => void;

/** Asks for members that are neither absent nor empty. */
export function requires(...keys: readonly string[]): SourceCheck {
  return (source, field, errors) => {
    for (const key of keys) {
      const value = source[key];
      if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) errors.required([...field, key]);
    }
  };
}

function inRange(key: string, least: number, most: number): SourceCheck {
  return (source, field, errors) => {
    const value = Number(source[key] ?? least);
    if (value !== 0 && (value < least || value > most))
      errors.invalid([...field, key], value, `must be between ${least} and ${most}, inclusive`);
  };
}

function namedSecret(key: string): SourceCheck {
  return (source, field, errors) => {
    if (isObject(source[key]) && (findString(source, key, 'name') ?? '') === '') errors.required([...field, key, 'name']);
  };
}

function all(...checks: readonly SourceCheck[]): SourceCheck {
  return (source, field, errors) => {
    for (const check of checks) check(source, field, errors);
  };
}

const blobUri = /^https:\/\//;
const diskUri = /^\/subscriptions\//;

function checkAzureDisk(source: JsonObject, field: Path, errors: FieldErrors): void {
  requires('diskName', 'diskURI')(source, field, errors);
  const [caching, kind, uri] = [
    findString(source, 'cachingMode'),
    findString(source, 'kind') ?? 'Shared',
    findString(source, 'diskURI') ?? '',
  ];
  if (caching !== undefined && !['None', 'ReadOnly', 'ReadWrite'].includes(caching))
    errors.unsupported([...field, 'cachingMode'], caching, ['None', 'ReadOnly', 'ReadWrite']);
  if (!['Shared', 'Dedicated', 'Managed'].includes(kind))
    errors.unsupported([...field, 'kind'], kind, ['Shared', 'Dedicated', 'Managed']);
  else if (kind === 'Managed' ? !diskUri.test(uri) : !blobUri.test(uri))
    errors.unsupported([...field, 'diskURI'], uri, [
      kind === 'Managed'
        ? '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
        : 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
    ]);
}

function checkFibreChannel(source: JsonObject, field: Path, errors: FieldErrors): void {
  const [targets, ids] = [listAt(source, 'targetWWNs'), listAt(source, 'wwids')];
  if (targets.length === 0 && ids.length === 0)
    errors.required([...field, 'targetWWNs'], 'must specify either targetWWNs or wwids, but not both');
  if (targets.length > 0 && ids.length > 0)
    errors.invalid([...field, 'targetWWNs'], targets, 'targetWWNs and wwids can not be specified simultaneously');
  if (targets.length > 0 && source['lun'] === undefined)
    errors.required([...field, 'lun'], 'lun is required if targetWWNs is specified');
  if (targets.length > 0 && (Number(source['lun'] ?? 0) < 0 || Number(source['lun'] ?? 0) > 255))
    errors.invalid([...field, 'lun'], source['lun'], 'must be between 0 and 255, inclusive');
}

function checkFlocker(source: JsonObject, field: Path, errors: FieldErrors): void {
  const [name, id] = [findString(source, 'datasetName') ?? '', findString(source, 'datasetUUID') ?? ''];
  if (name === '' && id === '') errors.required(field, 'one of datasetName and datasetUUID is required');
  if (name !== '' && id !== '')
    errors.invalid(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  if (name.includes('/')) errors.invalid([...field, 'datasetName'], name, "must not contain '/'");
}

function checkFlexOptions(source: JsonObject, field: Path, errors: FieldErrors): void {
  for (const key of Object.keys(isObject(source['options']) ? source['options'] : {})) {
    const namespace = key.split('/')[0] ?? '';
    if (key.includes('/') && (/(?:^|\.)kubernetes\.io$/.test(namespace) || /(?:^|\.)k8s\.io$/.test(namespace)))
      errors.invalid([...field, 'options', key], key, 'kubernetes.io and k8s.io namespaces are reserved');
  }
}

function checkIscsi(source: JsonObject, field: Path, errors: FieldErrors): void {
  requires('targetPortal', 'iqn')(source, field, errors);
  const [name, lun] = [findString(source, 'iqn') ?? '', Number(source['lun'] ?? 0)];
  if (
    name !== '' &&
    !/^(?:iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)?$|eui\.[0-9a-fA-F]{16}$|naa\.[0-9a-fA-F]{32}$)/.test(name)
  )
    errors.invalid([...field, 'iqn'], name, 'must be valid format');
  if (lun < 0 || lun > 255) errors.invalid([...field, 'lun'], lun, 'must be between 0 and 255, inclusive');
  if ((source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true) && !isObject(source['secretRef']))
    errors.required([...field, 'secretRef']);
}

function checkQuobyte(source: JsonObject, field: Path, errors: FieldErrors): void {
  requires('registry', 'volume')(source, field, errors);
  const registry = findString(source, 'registry') ?? '';
  if (registry !== '' && !registry.split(',').every((pair) => /^[^:]*:\d*$|^\[.*\]:\d*$/.test(pair)))
    errors.invalid([...field, 'registry'], registry, 'must be a host:port pair or multiple pairs separated by commas');
}

function checkStorageOs(source: JsonObject, field: Path, errors: FieldErrors): void {
  requires('volumeName')(source, field, errors);
  for (const key of ['volumeName', 'volumeNamespace']) {
    const name = findString(source, key) ?? '';
    if (name !== '') errors.each(checkDnsLabel(name), [...field, key], name);
  }
  namedSecret('secretRef')(source, field, errors);
}

/** What the sources of storage vendors must have. */
export const pluginSources: Readonly<Record<string, SourceCheck>> = {
  awsElasticBlockStore: all(requires('volumeID'), inRange('partition', 1, 255)),
  azureDisk: checkAzureDisk,
  azureFile: requires('secretName', 'shareName'),
  cephfs: requires('monitors'),
  cinder: all(requires('volumeID'), namedSecret('secretRef')),
  fc: checkFibreChannel,
  flexVolume: all(requires('driver'), checkFlexOptions),
  flocker: checkFlocker,
  gcePersistentDisk: all(requires('pdName'), inRange('partition', 1, 255)),
  gitRepo: all(requires('repository'), (source, field, errors) =>
    checkLocalPath(findString(source, 'directory') ?? '', [...field, 'directory'], errors),
  ),
  glusterfs: requires('endpoints', 'path'),
  iscsi: checkIscsi,
  photonPersistentDisk: requires('pdID'),
  portworxVolume: requires('volumeID'),
  quobyte: checkQuobyte,
  rbd: requires('monitors', 'image'),
  scaleIO: requires('gateway', 'system', 'volumeName'),
  storageos: checkStorageOs,
  vsphereVolume: requires('volumePath'),
};
