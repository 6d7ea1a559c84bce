import { findString, isObject, type Json, type JsonObject, listAt, type Path } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkPortName } from './names.ts';

const httpHeader = /^[-A-Za-z0-9]+$/;

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

/** Checks a port given as a number or as the name of a port. */
export function checkPortReference(port: Json | undefined, field: Path, errors: FieldErrors): void {
  if (typeof port === 'string') errors.each(checkPortName(port), field, port);
  else if (numberOf(port) < 1 || numberOf(port) > 65535)
    errors.invalid(field, port ?? 0, 'must be between 1 and 65535, inclusive');
}

function checkHttpGet(action: JsonObject, field: Path, errors: FieldErrors): void {
  checkPortReference(action['port'], [...field, 'port'], errors);
  const scheme = findString(action, 'scheme') || 'HTTP';
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') errors.unsupported([...field, 'scheme'], scheme, ['HTTP', 'HTTPS']);
  for (const [i, header] of listAt(action, 'httpHeaders').entries()) {
    const name = findString(header, 'name') ?? '';
    if (!httpHeader.test(name))
      errors.invalid(
        [...field, 'httpHeaders', i, 'name'],
        name,
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      );
  }
}

/** The check of each handler of a probe or lifecycle hook. */
const handlers: Readonly<Record<string, (action: JsonObject, field: Path, errors: FieldErrors) => void>> = {
  exec: (action, field, errors) => {
    if (listAt(action, 'command').length === 0) errors.required([...field, 'command']);
  },
  httpGet: checkHttpGet,
  tcpSocket: (action, field, errors) => checkPortReference(action['port'], [...field, 'port'], errors),
  grpc: (action, field, errors) =>
    checkPortReference(typeof action['port'] === 'number' ? action['port'] : 0, [...field, 'port'], errors),
};

/** Checks that exactly one of the allowed handlers is set. */
export function checkHandler(holder: JsonObject, kinds: readonly string[], field: Path, errors: FieldErrors): void {
  let count = 0;
  for (const kind of kinds) {
    const action = holder[kind];
    if (!isObject(action)) continue;
    count += 1;
    if (count > 1) errors.forbidden([...field, kind], 'may not specify more than 1 handler type');
    else handlers[kind]?.(action, [...field, kind], errors);
  }
  if (count === 0) errors.required(field, 'must specify a handler type');
}

/**
 * Checks a probe. `successThreshold` above 1 is allowed for readiness only.
 * https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes
 */
export function checkProbe(
  probe: Json | undefined,
  kind: 'liveness' | 'readiness' | 'startup',
  field: Path,
  errors: FieldErrors,
): void {
  if (!isObject(probe)) return;
  checkHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], field, errors);
  for (const key of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'])
    if (numberOf(probe[key]) < 0) errors.invalid([...field, key], probe[key], 'must be greater than or equal to 0');
  const period = probe['terminationGracePeriodSeconds'];
  if (period !== undefined && numberOf(period) <= 0)
    errors.invalid([...field, 'terminationGracePeriodSeconds'], period, 'must be greater than 0');
  if (kind === 'readiness') {
    if (period !== undefined)
      errors.invalid([...field, 'terminationGracePeriodSeconds'], period, 'must not be set for readinessProbes');
  } else if (numberOf(probe['successThreshold']) > 1)
    errors.invalid([...field, 'successThreshold'], probe['successThreshold'], 'must be 1');
}
