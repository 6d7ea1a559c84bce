import { findString, isObject, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import { quantityValue } from '../fit/index.ts';
import { showValue } from '../manifest/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabelSelector } from './metadata.ts';
import { checkDnsSubdomain } from './names.ts';

const accessModes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];

/** Checks the spec of a PersistentVolumeClaim, or of the claim template of an ephemeral volume. */
export function checkClaimSpec(spec: JsonObject, field: Path, errors: FieldErrors): void {
  const modes = listAt(spec, 'accessModes').map(showValue);
  if (modes.length === 0) errors.required([...field, 'accessModes'], 'at least 1 access mode is required');
  checkLabelSelector(spec['selector'], [...field, 'selector'], errors);
  for (const mode of modes) if (!accessModes.includes(mode)) errors.unsupported([...field, 'accessModes'], mode, accessModes);
  if (modes.includes('ReadWriteOncePod') && modes.length > 1)
    errors.forbidden([...field, 'accessModes'], 'may not use ReadWriteOncePod with other access modes');
  const storage = objectAt(spec, 'resources', 'requests')['storage'];
  const size = quantityValue(storage);
  if (storage === undefined || storage === null) errors.required([...field, 'resources', 'storage']);
  // The API server fails earlier, while decoding, with an error that does not name the field.
  else if (size === undefined)
    errors.invalid([...field, 'resources', 'requests', 'storage'], showValue(storage), 'must be a quantity such as 10Gi');
  else if (size <= 0) errors.invalid([...field, 'resources', 'storage'], showValue(storage), 'must be greater than zero');
  const className = findString(spec, 'storageClassName') ?? '';
  if (className !== '') errors.each(checkDnsSubdomain(className), [...field, 'storageClassName'], className);
  const mode = findString(spec, 'volumeMode');
  if (mode !== undefined && mode !== 'Block' && mode !== 'Filesystem')
    errors.unsupported([...field, 'volumeMode'], mode, ['Block', 'Filesystem']);
  const attributes = findString(spec, 'volumeAttributesClassName') ?? '';
  if (attributes !== '') errors.each(checkDnsSubdomain(attributes), [...field, 'volumeAttributesClassName'], attributes);
  const source = spec['dataSource'];
  if (isObject(source))
    for (const key of ['name', 'kind'])
      if ((findString(source, key) ?? '') === '') errors.required([...field, 'dataSource', key]);
}
