import { findString, isObject, type Json, type JsonObject, objectAt, type Path } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkConfigKey, checkDnsSubdomain, checkEnvName } from './names.ts';
import { checkFieldPath, checkResourceField } from './references.ts';

function checkKeyRef(ref: JsonObject, field: Path, errors: FieldErrors): void {
  const [name, key] = [findString(ref, 'name') ?? '', findString(ref, 'key') ?? ''];
  if (name === '') errors.required([...field, 'name']);
  else errors.each(checkDnsSubdomain(name), [...field, 'name'], name);
  if (key === '') errors.required([...field, 'key']);
  else errors.each(checkConfigKey(key), [...field, 'key'], key);
}

/** The check of each source in `valueFrom`. */
const sources: Readonly<Record<string, (ref: JsonObject, field: Path, errors: FieldErrors) => void>> = {
  fieldRef: (ref, field, errors) => checkFieldPath(ref, 'env', field, errors),
  resourceFieldRef: checkResourceField,
  configMapKeyRef: checkKeyRef,
  secretKeyRef: checkKeyRef,
};

/** Checks the environment variables of a container. */
export function checkEnv(list: readonly Json[], field: Path, errors: FieldErrors): void {
  for (const [i, item] of list.entries()) {
    const at = [...field, i];
    const name = findString(item, 'name') ?? '';
    if (name === '') errors.required([...at, 'name']);
    else errors.each(checkEnvName(name), [...at, 'name'], name);
    const from = isObject(item) ? item['valueFrom'] : undefined;
    if (!isObject(from)) continue;
    const kinds = Object.keys(from).filter((k) => isObject(from[k]));
    for (const kind of kinds) sources[kind]?.(objectAt(from, kind), [...at, 'valueFrom', kind], errors);
    if (kinds.length === 0)
      errors.invalid(
        [...at, 'valueFrom'],
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      );
    else if ((findString(item, 'value') ?? '') !== '')
      errors.invalid([...at, 'valueFrom'], '', 'may not be specified when `value` is not empty');
    else if (kinds.length > 1) errors.invalid([...at, 'valueFrom'], '', 'may not have more than one field specified at a time');
  }
}

/** Checks `envFrom`: the Secrets and ConfigMaps whose keys become environment variables. */
export function checkEnvFrom(list: readonly Json[], field: Path, errors: FieldErrors): void {
  for (const [i, item] of list.entries()) {
    const at = [...field, i];
    const prefix = findString(item, 'prefix') ?? '';
    if (prefix !== '') errors.each(checkEnvName(prefix), [...at, 'prefix'], prefix);
    const kinds = ['configMapRef', 'secretRef'].filter((k) => isObject(item) && isObject(item[k]));
    for (const kind of kinds) {
      const name = findString(item, kind, 'name') ?? '';
      if (name === '') errors.required([...at, kind, 'name']);
      else errors.each(checkDnsSubdomain(name), [...at, kind, 'name'], name);
    }
    if (kinds.length !== 1)
      errors.invalid(
        at,
        '',
        kinds.length === 0
          ? 'must specify one of: `configMapRef` or `secretRef`'
          : 'may not have more than one field specified at a time',
      );
  }
}
