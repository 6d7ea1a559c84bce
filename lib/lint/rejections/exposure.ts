import { isObject, type JsonObject } from '../../json/index.ts';
import { readList, readObject, readText, textOf } from '../read.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabels } from './metadata.ts';
import { checkDns1035Label, checkDnsLabel, checkDnsSubdomain, checkIngressHost, checkQualifiedName } from './names.ts';
import { checkPortReference } from './probes.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];

/** Checks a Service's spec. */
export function checkService(object: JsonObject, errors: FieldErrors): void {
  const spec = readObject(object, 'spec');
  const ports = readList(spec, 'ports');
  const headless = readText(spec, 'clusterIP') === 'None';
  if (ports.length === 0 && !headless) errors.required(['spec', 'ports']);
  const [names, pairs] = [new Set<string>(), new Set<string>()];
  for (const [i, port] of ports.entries()) {
    const at = ['spec', 'ports', i];
    const name = readText(port, 'name') ?? '';
    if (name === '' && ports.length > 1) errors.required([...at, 'name']);
    else if (name !== '') {
      errors.each(checkDnsLabel(name), [...at, 'name'], name);
      if (names.has(name)) errors.duplicate([...at, 'name'], name);
      names.add(name);
    }
    const number = isObject(port) ? Number(port['port'] ?? 0) : 0;
    if (number < 1 || number > 65535) errors.invalid([...at, 'port'], number, 'must be between 1 and 65535, inclusive');
    const protocol = readText(port, 'protocol') || 'TCP';
    if (!protocols.includes(protocol)) errors.unsupported([...at, 'protocol'], protocol, protocols);
    if (isObject(port) && port['targetPort'] !== undefined && port['targetPort'] !== 0 && port['targetPort'] !== '')
      checkPortReference(port['targetPort'], [...at, 'targetPort'], errors);
    const application = readText(port, 'appProtocol');
    if (application !== undefined) errors.each(checkQualifiedName(application), [...at, 'appProtocol'], application);
    if (pairs.has(`${protocol}/${number}`)) errors.duplicate(at, `${number}/${protocol}`);
    pairs.add(`${protocol}/${number}`);
  }
  checkLabels(spec['selector'], ['spec', 'selector'], errors);
}

function checkBackend(service: JsonObject, at: readonly (string | number)[], errors: FieldErrors): void {
  const name = readText(service, 'name') ?? '';
  if (name === '') errors.required([...at, 'name']);
  else errors.each(checkDns1035Label(name), [...at, 'name'], name);
}

/** Checks an Ingress's spec. */
export function checkIngress(object: JsonObject, errors: FieldErrors): void {
  const spec = readObject(object, 'spec');
  const rules = readList(spec, 'rules');
  if (rules.length === 0 && !isObject(spec['defaultBackend']))
    errors.invalid(['spec'], '', 'either `defaultBackend` or `rules` must be specified');
  for (const [i, rule] of rules.entries()) {
    const at = ['spec', 'rules', i];
    const host = readText(rule, 'host') ?? '';
    if (/^[0-9.]+$/.test(host) && host.split('.').length === 4)
      errors.invalid([...at, 'host'], host, 'must be a DNS name, not an IP address');
    else if (host !== '') errors.each(checkIngressHost(host), [...at, 'host'], host);
    const paths = readList(rule, 'http', 'paths');
    if (isObject(rule) && isObject(rule['http']) && paths.length === 0) errors.required([...at, 'http', 'paths']);
    for (const [p, path] of paths.entries())
      checkBackend(readObject(path, 'backend', 'service'), [...at, 'http', 'paths', p, 'backend', 'service'], errors);
  }
  for (const [i, tls] of readList(spec, 'tls').entries()) {
    for (const [h, host] of readList(tls, 'hosts').entries())
      errors.each(checkIngressHost(textOf(host)), ['spec', 'tls', i, 'hosts', h], textOf(host));
    const secret = readText(tls, 'secretName') ?? '';
    if (secret !== '') errors.each(checkDnsSubdomain(secret), ['spec', 'tls', i, 'secretName'], secret);
  }
  const className = readText(spec, 'ingressClassName');
  if (className !== undefined) errors.each(checkDnsSubdomain(className), ['spec', 'ingressClassName'], className);
}
