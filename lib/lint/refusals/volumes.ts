import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import type { Path } from '../../api/path.ts';
import { quantityValue } from '../../fit/quantity.ts';
import { readList, readObject, readText } from '../read.ts';
import { checkClaimSpec } from './claim-spec.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkAnnotations, checkLabels } from './metadata.ts';
import { checkConfigKey, checkDnsLabel } from './names.ts';

type Check = (source: JsonObject, field: Path, errors: FieldErrors) => void;

function requires(...keys: readonly string[]): Check {
  return (source, field, errors) => {
    for (const key of keys) {
      const value = source[key];
      if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) errors.required([...field, key]);
    }
  };
}

/** Checks a path inside a volume: relative and never upwards. */
export function checkLocalPath(path: string, field: Path, errors: FieldErrors, upwards = true): void {
  if (path.startsWith('/')) errors.invalid(field, path, 'must be a relative path');
  if (upwards && path.split('/').includes('..')) errors.invalid(field, path, "must not contain '..'");
}

function checkMode(mode: Json | undefined, field: Path, errors: FieldErrors): void {
  if (mode !== undefined && (Number(mode) < 0 || Number(mode) > 0o777))
    errors.invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

function checkItems(source: JsonObject, field: Path, errors: FieldErrors): void {
  for (const [i, item] of readList(source, 'items').entries()) {
    const at = [...field, 'items', i];
    const [key, path] = [readText(item, 'key') ?? '', readText(item, 'path') ?? ''];
    if (key === '') errors.required([...at, 'key']);
    else errors.each(checkConfigKey(key), [...at, 'key'], key);
    if (path === '') errors.required([...at, 'path']);
    else checkLocalPath(path, [...at, 'path'], errors);
    checkMode(isObject(item) ? item['mode'] : undefined, [...at, 'mode'], errors);
  }
}

const podFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const containerResources = [
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
];

function checkDownward(source: JsonObject, field: Path, errors: FieldErrors): void {
  for (const [i, item] of readList(source, 'items').entries()) {
    const at = [...field, 'items', i];
    const path = readText(item, 'path') ?? '';
    if (path === '') errors.required([...at, 'path']);
    else checkLocalPath(path, [...at, 'path'], errors);
    const [fieldRef, resourceRef] = isObject(item) ? [item['fieldRef'], item['resourceFieldRef']] : [];
    if (isObject(fieldRef)) {
      const name = readText(fieldRef, 'fieldPath') ?? '';
      if (name === '') errors.required([...at, 'fieldRef', 'fieldPath']);
      else if (!podFields.includes(name) && !/^metadata\.(?:labels|annotations)\['[^']+'\]$/.test(name))
        errors.unsupported([...at, 'fieldRef', 'fieldPath'], name, podFields);
      if (isObject(resourceRef))
        errors.invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    } else if (isObject(resourceRef)) {
      if ((readText(resourceRef, 'containerName') ?? '') === '') errors.required([...at, 'resourceFieldRef', 'containerName']);
      const name = readText(resourceRef, 'resource') ?? '';
      if (!containerResources.includes(name) && !/^(?:limits|requests)\.hugepages-/.test(name))
        errors.unsupported([...at, 'resourceFieldRef', 'resource'], name, containerResources);
    } else errors.required([...at, 'fieldRef'], 'one of fieldRef and resourceFieldRef is required');
    checkMode(isObject(item) ? item['mode'] : undefined, [...at, 'mode'], errors);
  }
}

function checkProjected(source: JsonObject, field: Path, errors: FieldErrors): void {
  checkMode(source['defaultMode'], [...field, 'defaultMode'], errors);
  for (const [i, projection] of readList(source, 'sources').entries()) {
    const at = [...field, 'sources', i];
    const kinds = Object.keys(isObject(projection) ? projection : {}).filter(
      (k) => isObject(readObject(projection, k)) && isObject(projection) && isObject(projection[k]),
    );
    for (const kind of kinds.slice(1)) errors.forbidden([...at, kind], 'may not specify more than 1 volume type');
    for (const kind of kinds) {
      const inner = readObject(projection, kind);
      if (kind === 'configMap' || kind === 'secret') {
        if ((readText(inner, 'name') ?? '') === '') errors.required([...at, 'name']);
        checkItems(inner, [...at, kind], errors);
      } else if (kind === 'downwardAPI') checkDownward(inner, [...at, kind], errors);
      else if (kind === 'serviceAccountToken') {
        const seconds = Number(inner['expirationSeconds'] ?? 3600);
        if (seconds < 600)
          errors.invalid([...at, kind, 'expirationSeconds'], seconds, 'may not specify a duration less than 10 minutes');
        if ((readText(inner, 'path') ?? '') === '') errors.required([...at, kind, 'path']);
        else checkLocalPath(readText(inner, 'path') ?? '', [...at, kind, 'path'], errors);
      }
    }
    if (kinds.length === 0) errors.required(at);
  }
}

const hostPathTypes = ['', 'DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'];

/** What each source of a volume must have. */
const sources: Readonly<Record<string, Check>> = {
  emptyDir: (source, field, errors) => {
    const medium = readText(source, 'medium') ?? '';
    if (!['', 'Memory', 'HugePages'].includes(medium) && !medium.startsWith('HugePages-'))
      errors.unsupported([...field, 'medium'], medium, ['', 'Memory', 'HugePages']);
    if ((quantityValue(source['sizeLimit']) ?? 0) < 0)
      errors.forbidden([...field, 'sizeLimit'], 'SizeLimit field must be a valid resource quantity');
  },
  hostPath: (source, field, errors) => {
    const path = readText(source, 'path') ?? '';
    if (path === '') errors.required([...field, 'path']);
    else if (path.split('/').includes('..')) errors.invalid([...field, 'path'], path, "must not contain '..'");
    const type = readText(source, 'type') ?? '';
    if (!hostPathTypes.includes(type)) errors.unsupported([...field, 'type'], type, hostPathTypes);
  },
  configMap: (source, field, errors) => {
    requires('name')(source, field, errors);
    checkMode(source['defaultMode'], [...field, 'defaultMode'], errors);
    checkItems(source, field, errors);
  },
  secret: (source, field, errors) => {
    requires('secretName')(source, field, errors);
    checkMode(source['defaultMode'], [...field, 'defaultMode'], errors);
    checkItems(source, field, errors);
  },
  persistentVolumeClaim: requires('claimName'),
  downwardAPI: (source, field, errors) => {
    checkMode(source['defaultMode'], [...field, 'defaultMode'], errors);
    checkDownward(source, field, errors);
  },
  projected: checkProjected,
  nfs: (source, field, errors) => {
    requires('server', 'path')(source, field, errors);
    const path = readText(source, 'path') ?? '';
    if (path !== '' && !path.startsWith('/')) errors.invalid([...field, 'path'], path, 'must be an absolute path');
  },
  csi: (source, field, errors) => {
    const driver = readText(source, 'driver') ?? '';
    if (driver === '') errors.required([...field, 'driver']);
    else {
      if (driver.length > 63) errors.tooLong([...field, 'driver'], 63);
      if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(driver.toLowerCase()))
        errors.invalid([...field, 'driver'], driver, 'must be a DNS subdomain');
    }
    const secret = source['nodePublishSecretRef'];
    if (isObject(secret) && (readText(secret, 'name') ?? '') === '') errors.required([...field, 'nodePublishSecretRef', 'name']);
  },
  ephemeral: (source, field, errors) => {
    const template = source['volumeClaimTemplate'];
    if (!isObject(template)) return errors.required([...field, 'volumeClaimTemplate']);
    checkLabels(readObject(template, 'metadata')['labels'], [...field, 'volumeClaimTemplate', 'metadata', 'labels'], errors);
    checkAnnotations(
      readObject(template, 'metadata')['annotations'],
      [...field, 'volumeClaimTemplate', 'metadata', 'annotations'],
      errors,
    );
    checkClaimSpec(readObject(template, 'spec'), [...field, 'volumeClaimTemplate', 'spec'], errors);
  },
  image: (source, field, errors) => {
    requires('reference')(source, field, errors);
    const policy = readText(source, 'pullPolicy') ?? '';
    if (!['', 'Always', 'IfNotPresent', 'Never'].includes(policy))
      errors.unsupported([...field, 'pullPolicy'], policy, ['Always', 'IfNotPresent', 'Never']);
  },
  awsElasticBlockStore: requires('volumeID'),
  azureDisk: requires('diskName', 'diskURI'),
  azureFile: requires('secretName', 'shareName'),
  cephfs: requires('monitors'),
  cinder: requires('volumeID'),
  flexVolume: requires('driver'),
  gcePersistentDisk: requires('pdName'),
  gitRepo: requires('repository'),
  glusterfs: requires('endpoints', 'path'),
  iscsi: requires('targetPortal', 'iqn'),
  photonPersistentDisk: requires('pdID'),
  portworxVolume: requires('volumeID'),
  quobyte: requires('registry', 'volume'),
  rbd: requires('monitors', 'image'),
  vsphereVolume: requires('volumePath'),
};

/** Checks the volumes of a pod and returns their names; a volume without a source is an emptyDir. */
export function checkVolumes(volumes: readonly Json[], field: Path, errors: FieldErrors): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [i, volume] of volumes.entries()) {
    const at = [...field, i];
    const name = readText(volume, 'name') ?? '';
    const kinds = Object.keys(isObject(volume) ? volume : {}).filter(
      (k) => k !== 'name' && isObject(volume) && isObject(volume[k]),
    );
    for (const [k, kind] of kinds.entries()) {
      if (k > 0) errors.forbidden([...at, kind], 'may not specify more than 1 volume type');
      else sources[kind]?.(readObject(volume, kind), [...at, kind], errors);
    }
    if (name === '') errors.required([...at, 'name']);
    else errors.each(checkDnsLabel(name), [...at, 'name'], name);
    if (names.has(name)) errors.duplicate([...at, 'name'], name);
    names.add(name);
  }
  return names;
}
