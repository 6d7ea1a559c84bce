import { byteLength, findString, isObject, type Json, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkDnsLabel, checkLabelValue, checkQualifiedName, type NameCheck } from './names.ts';

/** `TotalAnnotationSizeLimitB` in k8s.io/apimachinery/pkg/api/validation. */
const annotationLimit = 256 * 1024;

/** Checks labels, or a selector given as a map of labels. */
export function checkLabels(labels: Json | undefined, field: Path, errors: FieldErrors): void {
  for (const [key, value] of Object.entries(isObject(labels) ? labels : {})) {
    errors.each(checkQualifiedName(key), field, key);
    errors.each(checkLabelValue(showValue(value)), [...field, key], showValue(value));
  }
}

/** Checks annotations: each key, and their total size. */
export function checkAnnotations(annotations: Json | undefined, field: Path, errors: FieldErrors): void {
  let size = 0;
  for (const [key, value] of Object.entries(isObject(annotations) ? annotations : {})) {
    errors.each(checkQualifiedName(key.toLowerCase()), field, key);
    size += byteLength(key) + byteLength(showValue(value));
  }
  if (size > annotationLimit) errors.tooLong(field, annotationLimit);
}

/** Checks the metadata of an object: name, namespace, labels, annotations, owner references. */
export function checkMetadata(object: JsonObject, checkName: NameCheck, errors: FieldErrors): void {
  const metadata = objectAt(object, 'metadata');
  const name = findString(metadata, 'name') ?? '';
  if (name === '') errors.required(['metadata', 'name'], 'name or generateName is required');
  else errors.each(checkName(name), ['metadata', 'name'], name);
  const namespace = findString(metadata, 'namespace');
  if (namespace !== undefined && namespace !== '') errors.each(checkDnsLabel(namespace), ['metadata', 'namespace'], namespace);
  checkLabels(metadata['labels'], ['metadata', 'labels'], errors);
  checkAnnotations(metadata['annotations'], ['metadata', 'annotations'], errors);
  for (const [i, owner] of listAt(metadata, 'ownerReferences').entries())
    for (const key of ['apiVersion', 'kind', 'name'])
      if ((findString(owner, key) ?? '') === '')
        errors.invalid(
          ['metadata', 'ownerReferences', i, key],
          '',
          key === 'apiVersion' ? 'version must not be empty' : `must not be empty`,
        );
}

/** Checks a label selector: labels, and expressions with their operators and values. */
export function checkLabelSelector(selector: Json | undefined, field: Path, errors: FieldErrors): void {
  if (!isObject(selector)) return;
  checkLabels(selector['matchLabels'], [...field, 'matchLabels'], errors);
  for (const [i, expression] of listAt(selector, 'matchExpressions').entries()) {
    const at = [...field, 'matchExpressions', i];
    const [key, operator, values] = [
      findString(expression, 'key') ?? '',
      findString(expression, 'operator') ?? '',
      listAt(expression, 'values'),
    ];
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) errors.required([...at, 'values'], "must be specified when `operator` is 'In' or 'NotIn'");
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        errors.forbidden([...at, 'values'], "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    } else errors.invalid([...at, 'operator'], operator, 'not a valid selector operator');
    errors.each(checkQualifiedName(key), [...at, 'key'], key);
    for (const [v, value] of values.entries())
      errors.each(checkLabelValue(showValue(value)), [...at, 'values', v], showValue(value));
  }
}
