import { findString, isObject, type Json, listAt, type Path } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabelSelector } from './metadata.ts';
import { checkDnsLabel, checkDnsSubdomain, checkLabelValue, checkQualifiedName } from './names.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Checks tolerations. */
export function checkTolerations(list: readonly Json[], field: Path, errors: FieldErrors): void {
  for (const [i, item] of list.entries()) {
    const at = [...field, i];
    const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((k) => findString(item, k) ?? '');
    if (key !== undefined && key !== '') errors.each(checkQualifiedName(key), [...at, 'key'], key);
    if (key === '' && operator !== 'Exists')
      errors.invalid(
        [...at, 'operator'],
        operator ?? '',
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    if (isObject(item) && item['tolerationSeconds'] !== undefined && effect !== 'NoExecute')
      errors.invalid([...at, 'effect'], effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set");
    if (operator === 'Equal' || operator === '')
      errors.each(checkLabelValue(value ?? '').slice(0, 1), [...at, 'operator'], value ?? '');
    else if (operator === 'Exists') {
      if (value !== '') errors.invalid([...at, 'operator'], value ?? '', "value must be empty when `operator` is 'Exists'");
    } else errors.unsupported([...at, 'operator'], operator ?? '', ['Equal', 'Exists']);
    if (effect !== undefined && effect !== '' && !effects.includes(effect))
      errors.unsupported([...at, 'effect'], effect, effects);
  }
}

function checkNodeTerm(term: Json, field: Path, errors: FieldErrors, withValues = true): void {
  for (const [i, e] of listAt(term, 'matchExpressions').entries()) {
    const at = [...field, 'matchExpressions', i];
    const [key, operator, values] = [findString(e, 'key') ?? '', findString(e, 'operator') ?? '', listAt(e, 'values')];
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) errors.required([...at, 'values'], "must be specified when `operator` is 'In' or 'NotIn'");
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        errors.forbidden([...at, 'values'], "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    } else if (operator === 'Gt' || operator === 'Lt') {
      if (values.length !== 1)
        errors.required([...at, 'values'], "must be specified single value when `operator` is 'Lt' or 'Gt'");
    } else errors.invalid([...at, 'operator'], operator, 'not a valid selector operator');
    errors.each(checkQualifiedName(key), [...at, 'key'], key);
    for (const [v, value] of withValues ? values.entries() : [])
      errors.each(checkLabelValue(showValue(value)), [...at, 'values', v], showValue(value));
  }
  for (const [i, e] of listAt(term, 'matchFields').entries()) {
    const at = [...field, 'matchFields', i];
    const [key, operator, values] = [findString(e, 'key') ?? '', findString(e, 'operator') ?? '', listAt(e, 'values')];
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length !== 1)
        errors.required([...at, 'values'], "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    } else errors.invalid([...at, 'operator'], operator, 'not a valid selector operator');
    if (key !== 'metadata.name') errors.invalid([...at, 'key'], key, 'not a valid field selector key');
    else
      for (const [v, value] of values.entries())
        errors.each(checkDnsSubdomain(showValue(value)), [...at, 'values', v], showValue(value));
  }
}

function checkPodTerm(term: Json | undefined, field: Path, errors: FieldErrors): void {
  const selector = isObject(term) ? term['labelSelector'] : undefined;
  checkLabelSelector(selector, [...field, 'labelSelector'], errors);
  checkLabelSelector(isObject(term) ? term['namespaceSelector'] : undefined, [...field, 'namespaceSelector'], errors);
  for (const [i, name] of listAt(term, 'namespaces').entries())
    errors.each(checkDnsLabel(showValue(name)), [...field, 'namespaces', i], showValue(name));
  const key = findString(term, 'topologyKey') ?? '';
  if (key === '') errors.required([...field, 'topologyKey'], 'can not be empty');
  else errors.each(checkQualifiedName(key), [...field, 'topologyKey'], key);
  const [match, mismatch] = [listAt(term, 'matchLabelKeys').map(showValue), listAt(term, 'mismatchLabelKeys').map(showValue)];
  for (const [list, keys] of [
    ['matchLabelKeys', match],
    ['mismatchLabelKeys', mismatch],
  ] as const) {
    if (keys.length > 0 && !isObject(selector))
      errors.forbidden([...field, list], 'must not be specified when labelSelector is not set');
    for (const [i, name] of keys.entries()) errors.each(checkQualifiedName(name), [...field, list, i], name);
  }
  for (const [i, name] of match.entries())
    if (mismatch.includes(name))
      errors.invalid([...field, 'matchLabelKeys', i], name, 'exists in both matchLabelKeys and mismatchLabelKeys');
}

/** Checks the affinity of a pod. */
export function checkAffinity(affinity: Json | undefined, field: Path, errors: FieldErrors): void {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  if (!isObject(affinity)) return;
  const node = affinity['nodeAffinity'];
  if (isObject(node)) {
    const at = [...field, 'nodeAffinity'];
    if (isObject(node[required])) {
      const terms = listAt(node, required, 'nodeSelectorTerms');
      if (terms.length === 0)
        errors.required([...at, required, 'nodeSelectorTerms'], 'must have at least one node selector term');
      for (const [i, term] of terms.entries()) checkNodeTerm(term, [...at, required, 'nodeSelectorTerms', i], errors);
    }
    for (const [i, item] of listAt(node, preferred).entries()) {
      const weight = isObject(item) ? Number(item['weight'] ?? 0) : 0;
      if (weight <= 0 || weight > 100) errors.invalid([...at, preferred, i, 'weight'], weight, 'must be in the range 1-100');
      // The API server does not check the values of a preference, only its keys and operators.
      checkNodeTerm((isObject(item) ? item['preference'] : undefined) ?? {}, [...at, preferred, i, 'preference'], errors, false);
    }
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const at = [...field, kind];
    for (const [i, term] of listAt(affinity, kind, required).entries()) checkPodTerm(term, [...at, required, i], errors);
    for (const [i, item] of listAt(affinity, kind, preferred).entries()) {
      const weight = isObject(item) ? Number(item['weight'] ?? 0) : 0;
      if (weight <= 0 || weight > 100) errors.invalid([...at, preferred, i, 'weight'], weight, 'must be in the range 1-100');
      checkPodTerm(isObject(item) ? item['podAffinityTerm'] : undefined, [...at, preferred, i, 'podAffinityTerm'], errors);
    }
  }
}

/** Checks topology spread constraints. */
export function checkSpread(list: readonly Json[], field: Path, errors: FieldErrors): void {
  const pairs = new Set<string>();
  for (const [i, item] of list.entries()) {
    const at = [...field, i];
    const get = (key: string): Json | undefined => (isObject(item) ? item[key] : undefined);
    if (Number(get('maxSkew') ?? 0) <= 0)
      errors.invalid([...at, 'maxSkew'], Number(get('maxSkew') ?? 0), 'must be greater than zero');
    const key = findString(item, 'topologyKey') ?? '';
    if (key === '') errors.required([...at, 'topologyKey'], 'can not be empty');
    const when = findString(item, 'whenUnsatisfiable') ?? '';
    if (when !== 'DoNotSchedule' && when !== 'ScheduleAnyway')
      errors.unsupported([...at, 'whenUnsatisfiable'], when, ['DoNotSchedule', 'ScheduleAnyway']);
    if (pairs.has(`${key} ${when}`)) errors.duplicate([...at, '{topologyKey, whenUnsatisfiable}'], `{${key}, ${when}}`);
    pairs.add(`${key} ${when}`);
    const domains = get('minDomains');
    if (domains !== undefined) {
      if (Number(domains) <= 0) errors.invalid([...at, 'minDomains'], domains, 'must be greater than zero');
      if (when === 'ScheduleAnyway')
        errors.invalid(
          [...at, 'minDomains'],
          domains,
          'can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
        );
    }
    for (const policy of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      const value = get(policy);
      if (value !== undefined && value !== 'Honor' && value !== 'Ignore')
        errors.unsupported([...at, policy], value, ['Honor', 'Ignore']);
    }
    checkLabelSelector(get('labelSelector'), [...at, 'labelSelector'], errors);
    const keys = listAt(item, 'matchLabelKeys');
    if (keys.length > 0 && !isObject(get('labelSelector')))
      errors.forbidden([...at, 'matchLabelKeys'], 'must not be specified when labelSelector is not set');
    for (const [k, name] of keys.entries())
      errors.each(checkQualifiedName(showValue(name)), [...at, 'matchLabelKeys', k], showValue(name));
  }
}
