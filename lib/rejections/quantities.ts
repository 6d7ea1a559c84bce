import { findString, isObject, type Json, type JsonObject, listAt, type Path } from '../json/index.ts';
import { quantityValue } from '../fit/index.ts';
import { showValue } from '../manifest/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkQualifiedName } from './names.ts';

const standard = ['cpu', 'memory', 'ephemeral-storage'];
const hugePages = /^hugepages-/;

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && checkQualifiedName(`requests.${name}`).length === 0;
}

/**
 * Whether the request may be lower than the limit. Extended resources and huge pages cannot be overcommitted.
 * https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#extended-resources
 * https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/
 */
function allowsOvercommit(name: string): boolean {
  return isNative(name) && !hugePages.test(name);
}

function checkName(name: string, field: Path, errors: FieldErrors): void {
  const reasons = checkQualifiedName(name);
  errors.each(reasons, field, name);
  if (reasons.length > 0) return;
  if (!name.includes('/')) {
    if (!standard.includes(name) && !hugePages.test(name))
      errors.invalid(field, name, 'must be a standard resource for containers');
  } else if (!isNative(name) && !isExtended(name)) errors.invalid(field, name, "doesn't follow extended resource name standard");
}

function checkValue(name: string, value: Json | undefined, field: Path, errors: FieldErrors): void {
  const number = quantityValue(value) ?? 0;
  const shown = showValue(value);
  if (number < 0) errors.invalid(field, shown, 'must be greater than or equal to 0');
  if ((isExtended(name) || hugePages.test(name)) && !Number.isInteger(number)) errors.invalid(field, shown, 'must be an integer');
}

/** The amount of huge pages must be a multiple of the page size. */
function checkPages(name: string, value: Json | undefined, field: Path, errors: FieldErrors): void {
  const [page, amount] = [quantityValue(name.slice('hugepages-'.length)), quantityValue(value) ?? 0];
  if (page !== undefined && page > 0 && amount % page !== 0)
    errors.invalid(field, showValue(value), `${showValue(value)} is not positive integer multiple of ${name}`);
}

/** Checks the requests and limits of a container. A missing request defaults to the limit. */
export function checkResources(resources: JsonObject, podClaims: ReadonlySet<string>, field: Path, errors: FieldErrors): void {
  const limits = isObject(resources['limits']) ? resources['limits'] : {};
  const requests = { ...limits, ...(isObject(resources['requests']) ? resources['requests'] : {}) };
  let usesHugePages = false;
  for (const [name, value] of Object.entries(limits)) {
    checkName(name, [...field, 'limits', name], errors);
    checkValue(name, value, [...field, 'limits', name], errors);
    if (hugePages.test(name)) checkPages(name, value, [...field, 'limits', name], errors);
    usesHugePages ||= hugePages.test(name);
  }
  for (const [name, value] of Object.entries(requests)) {
    const at = [...field, 'requests'];
    if (limits[name] === undefined) {
      checkName(name, [...at, name], errors);
      checkValue(name, value, [...at, name], errors);
    } else if (isObject(resources['requests']) && resources['requests'][name] !== undefined)
      checkValue(name, value, [...at, name], errors);
    usesHugePages ||= hugePages.test(name);
    const [request, limit] = [quantityValue(value) ?? 0, quantityValue(limits[name])];
    if (limit === undefined) {
      if (!allowsOvercommit(name)) errors.required([...field, 'limits'], 'Limit must be set for non overcommitable resources');
    } else if (request !== limit && !allowsOvercommit(name))
      errors.invalid(at, showValue(value), `must be equal to ${name} limit of ${showValue(limits[name])}`);
    else if (request > limit)
      errors.invalid(at, showValue(value), `must be less than or equal to ${name} limit of ${showValue(limits[name])}`);
  }
  const names = new Set([...Object.keys(limits), ...Object.keys(requests)]);
  if (usesHugePages && !names.has('cpu') && !names.has('memory')) errors.forbidden(field, 'HugePages require cpu or memory');
  checkClaims(listAt(resources, 'claims'), podClaims, [...field, 'claims'], errors);
}

function checkClaims(claims: readonly Json[], podClaims: ReadonlySet<string>, field: Path, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [i, claim] of claims.entries()) {
    const name = findString(claim, 'name') ?? '';
    const request = findString(claim, 'request') ?? '';
    const key = `${name}/${request}`;
    if (name === '') errors.required([...field, i]);
    else if (
      seen.has(key) ||
      (request !== '' && seen.has(`${name}/`)) ||
      (request === '' && [...seen].some((k) => k.startsWith(`${name}/`)))
    )
      errors.duplicate([...field, i], name);
    else if (!podClaims.has(name)) errors.notFound([...field, i], name);
    seen.add(key);
  }
}
