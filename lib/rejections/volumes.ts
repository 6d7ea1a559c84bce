import { findString, isObject, type Json, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import { quantityValue } from '../fit/index.ts';
import { checkClaimSpec } from './claim-spec.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkAnnotations, checkLabels } from './metadata.ts';
import { checkFilePath } from './local-path.ts';
import { checkDnsLabel } from './names.ts';
import { checkFieldPath, checkResourceField } from './references.ts';

/** A check of one type of volume source. */
type SourceCheck = (source: JsonObject, field: Path, errors: FieldErrors) => void;

/** A check that string fields are present and not empty. */
function requires(...keys: readonly string[]): SourceCheck {
  return (source, field, errors) => {
    for (const key of keys) if ((findString(source, key) ?? '') === '') errors.required([...field, key]);
  };
}

function checkMode(mode: Json | undefined, field: Path, errors: FieldErrors): void {
  if (mode !== undefined && (Number(mode) < 0 || Number(mode) > 0o777))
    errors.invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

function checkItems(source: JsonObject, field: Path, errors: FieldErrors): void {
  for (const [i, item] of listAt(source, 'items').entries()) {
    const at = [...field, 'items', i];
    const [key, path] = [findString(item, 'key') ?? '', findString(item, 'path') ?? ''];
    if (key === '') errors.required([...at, 'key']);
    if (path === '') errors.required([...at, 'path']);
    else checkFilePath(path, [...at, 'path'], errors);
    checkMode(isObject(item) ? item['mode'] : undefined, [...at, 'mode'], errors);
  }
}

function checkDownward(source: JsonObject, field: Path, errors: FieldErrors): void {
  for (const [i, item] of listAt(source, 'items').entries()) {
    const at = [...field, 'items', i];
    const path = findString(item, 'path') ?? '';
    if (path === '') errors.required([...at, 'path']);
    else checkFilePath(path, [...at, 'path'], errors);
    const [fieldRef, resourceRef] = isObject(item) ? [item['fieldRef'], item['resourceFieldRef']] : [];
    if (isObject(fieldRef)) {
      checkFieldPath(fieldRef, 'volume', [...at, 'fieldRef'], errors);
      if (isObject(resourceRef))
        errors.invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    } else if (isObject(resourceRef)) {
      if ((findString(resourceRef, 'containerName') ?? '') === '') errors.required([...at, 'resourceFieldRef', 'containerName']);
      checkResourceField(resourceRef, [...at, 'resourceFieldRef'], errors);
    } else errors.required([...at, 'fieldRef'], 'one of fieldRef and resourceFieldRef is required');
    checkMode(isObject(item) ? item['mode'] : undefined, [...at, 'mode'], errors);
  }
}

/** The paths of the files that a projection creates. */
function projectedPaths(projection: Json, kind: string): readonly string[] {
  if (kind === 'serviceAccountToken' || kind === 'clusterTrustBundle') return [findString(projection, kind, 'path') ?? ''];
  return listAt(projection, kind, 'items').map((item) => findString(item, 'path') ?? '');
}

function checkProjected(source: JsonObject, field: Path, errors: FieldErrors): void {
  const used = new Set<string>();
  checkMode(source['defaultMode'], [...field, 'defaultMode'], errors);
  for (const [i, projection] of listAt(source, 'sources').entries()) {
    const at = [...field, 'sources', i];
    const kinds = Object.keys(isObject(projection) ? projection : {}).filter(
      (k) => isObject(objectAt(projection, k)) && isObject(projection) && isObject(projection[k]),
    );
    for (const kind of kinds.slice(1)) errors.forbidden([...at, kind], 'may not specify more than 1 volume type');
    for (const kind of kinds) {
      const inner = objectAt(projection, kind);
      for (const path of projectedPaths(projection, kind)) {
        if (path !== '' && used.has(path)) errors.invalid(field, path, 'conflicting duplicate paths');
        used.add(path);
      }
      if (kind === 'configMap' || kind === 'secret') {
        if ((findString(inner, 'name') ?? '') === '') errors.required([...at, 'name']);
        checkItems(inner, [...at, kind], errors);
      } else if (kind === 'downwardAPI') checkDownward(inner, [...at, kind], errors);
      else if (kind === 'serviceAccountToken') {
        // https://kubernetes.io/docs/concepts/storage/projected-volumes/#serviceaccounttoken
        const seconds = Number(inner['expirationSeconds'] ?? 3600);
        if (seconds > 2 ** 32)
          errors.invalid([...at, kind, 'expirationSeconds'], seconds, 'may not specify a duration larger than 2^32 seconds');
        if (seconds < 600)
          errors.invalid([...at, kind, 'expirationSeconds'], seconds, 'may not specify a duration less than 10 minutes');
        if ((findString(inner, 'path') ?? '') === '') errors.required([...at, kind, 'path']);
        else checkFilePath(findString(inner, 'path') ?? '', [...at, kind, 'path'], errors);
      }
    }
  }
}

const hostPathTypes = ['', 'DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'];

/** The check of each volume source. In-tree sources of storage vendors are not checked, since clusters use CSI drivers instead. */
const sources: Readonly<Record<string, SourceCheck>> = {
  emptyDir: (source, field, errors) => {
    if ((quantityValue(source['sizeLimit']) ?? 0) < 0)
      errors.forbidden([...field, 'sizeLimit'], 'SizeLimit field must be a valid resource quantity');
  },
  hostPath: (source, field, errors) => {
    const path = findString(source, 'path') ?? '';
    if (path === '') errors.required([...field, 'path']);
    else if (path.split('/').includes('..')) errors.invalid([...field, 'path'], path, "must not contain '..'");
    const type = findString(source, 'type') ?? '';
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
    const path = findString(source, 'path') ?? '';
    if (path !== '' && !path.startsWith('/')) errors.invalid([...field, 'path'], path, 'must be an absolute path');
  },
  csi: (source, field, errors) => {
    const driver = findString(source, 'driver') ?? '';
    if (driver === '') errors.required([...field, 'driver']);
    else {
      if (driver.length > 63) errors.tooLong([...field, 'driver'], 63);
      if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(driver.toLowerCase()))
        errors.invalid([...field, 'driver'], driver, 'must be a DNS subdomain');
    }
    const secret = source['nodePublishSecretRef'];
    if (isObject(secret) && (findString(secret, 'name') ?? '') === '')
      errors.required([...field, 'nodePublishSecretRef', 'name']);
  },
  ephemeral: (source, field, errors) => {
    const template = source['volumeClaimTemplate'];
    if (!isObject(template)) return errors.required([...field, 'volumeClaimTemplate']);
    checkLabels(objectAt(template, 'metadata')['labels'], [...field, 'volumeClaimTemplate', 'metadata', 'labels'], errors);
    checkAnnotations(
      objectAt(template, 'metadata')['annotations'],
      [...field, 'volumeClaimTemplate', 'metadata', 'annotations'],
      errors,
    );
    for (const key of Object.keys(objectAt(template, 'metadata')))
      if (key !== 'labels' && key !== 'annotations')
        errors.forbidden([...field, 'volumeClaimTemplate', 'metadata', key], 'cannot be set');
    const data = objectAt(template, 'spec')['dataSource'];
    if (isObject(data) && (findString(data, 'apiGroup') ?? '') === '' && findString(data, 'kind') !== 'PersistentVolumeClaim')
      errors.invalid(
        [...field, 'volumeClaimTemplate', 'spec', 'dataSource'],
        findString(data, 'kind'),
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
      );
    checkClaimSpec(objectAt(template, 'spec'), [...field, 'volumeClaimTemplate', 'spec'], errors);
  },
};

/** Checks the volumes of a pod and returns their names. A volume without a source defaults to emptyDir. */
export function checkVolumes(volumes: readonly Json[], field: Path, errors: FieldErrors): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [i, volume] of volumes.entries()) {
    const at = [...field, i];
    const name = findString(volume, 'name') ?? '';
    if (isObject(volume) && isObject(volume['image'])) {
      // Without the feature gate `ImageVolume` the API server drops image volumes and their mounts before validation.
      names.add(name);
      continue;
    }
    const kinds = Object.keys(isObject(volume) ? volume : {}).filter(
      (k) => k !== 'name' && isObject(volume) && isObject(volume[k]),
    );
    for (const [k, kind] of kinds.entries()) {
      if (k > 0) errors.forbidden([...at, kind], 'may not specify more than 1 volume type');
      else sources[kind]?.(objectAt(volume, kind), [...at, kind], errors);
    }
    if (name === '') errors.required([...at, 'name']);
    else errors.each(checkDnsLabel(name), [...at, 'name'], name);
    if (names.has(name)) errors.duplicate([...at, 'name'], name);
    names.add(name);
  }
  return names;
}
