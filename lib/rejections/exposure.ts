import { findString, isObject, type Json, type JsonObject, listAt, objectAt } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabels } from './metadata.ts';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkIngressHost,
  checkQualifiedName,
  isIpAddress,
} from './names.ts';
import { checkPortReference } from './probes.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];

/** Checks a Service's spec. */
export function checkService(object: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(object, 'spec');
  const ports = listAt(spec, 'ports');
  const headless = findString(spec, 'clusterIP') === 'None';
  if (ports.length === 0 && !headless) errors.required(['spec', 'ports']);
  const [names, pairs] = [new Set<string>(), new Set<string>()];
  for (const [i, port] of ports.entries()) {
    const at = ['spec', 'ports', i];
    const name = findString(port, 'name') ?? '';
    if (name === '' && ports.length > 1) errors.required([...at, 'name']);
    else if (name !== '') {
      errors.each(checkDnsLabel(name), [...at, 'name'], name);
      if (names.has(name)) errors.duplicate([...at, 'name'], name);
      names.add(name);
    }
    const number = isObject(port) ? Number(port['port'] ?? 0) : 0;
    if (number < 1 || number > 65535) errors.invalid([...at, 'port'], number, 'must be between 1 and 65535, inclusive');
    const protocol = findString(port, 'protocol') || 'TCP';
    if (!protocols.includes(protocol)) errors.unsupported([...at, 'protocol'], protocol, protocols);
    if (isObject(port) && port['targetPort'] !== undefined && port['targetPort'] !== 0 && port['targetPort'] !== '')
      checkPortReference(port['targetPort'], [...at, 'targetPort'], errors);
    const application = findString(port, 'appProtocol');
    if (application !== undefined) errors.each(checkQualifiedName(application), [...at, 'appProtocol'], application);
    if (pairs.has(`${protocol}/${number}`)) errors.duplicate(at, `${number}/${protocol}`);
    pairs.add(`${protocol}/${number}`);
  }
  checkLabels(spec['selector'], ['spec', 'selector'], errors);
  checkAddresses(spec, errors);
}

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const affinities = ['ClientIP', 'None'];

function checkAddresses(spec: JsonObject, errors: FieldErrors): void {
  const type = findString(spec, 'type') || 'ClusterIP';
  if (!types.includes(type)) errors.unsupported(['spec', 'type'], type, types);
  if (type === 'ExternalName' && (findString(spec, 'externalName') ?? '') === '') errors.required(['spec', 'externalName']);
  const affinity = findString(spec, 'sessionAffinity') || 'None';
  if (!affinities.includes(affinity)) errors.unsupported(['spec', 'sessionAffinity'], affinity, affinities);
  const cluster = findString(spec, 'clusterIP') ?? '';
  if (cluster !== '' && cluster !== 'None' && !isIpAddress(cluster))
    errors.invalid(['spec', 'clusterIPs', 0], cluster, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  for (const [i, address] of listAt(spec, 'externalIPs').entries())
    if (typeof address === 'string' && !isIpAddress(address))
      errors.invalid(['spec', 'externalIPs', i], address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
}

function checkBackend(service: JsonObject, at: readonly (string | number)[], errors: FieldErrors): void {
  const name = findString(service, 'name') ?? '';
  if (name === '') errors.required([...at, 'name']);
  else errors.each(checkDns1035Label(name), [...at, 'name'], name);
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function checkIngressPath(item: Json, at: readonly (string | number)[], errors: FieldErrors): void {
  const type = findString(item, 'pathType') ?? '';
  const path = findString(item, 'path') ?? '';
  if (type === '') errors.required([...at, 'pathType'], 'pathType must be specified');
  else if (!pathTypes.includes(type)) errors.unsupported([...at, 'pathType'], type, pathTypes);
  const mayBeEmpty = type === 'ImplementationSpecific' && path === '';
  if (pathTypes.includes(type) && !path.startsWith('/') && !mayBeEmpty)
    errors.invalid([...at, 'path'], path, 'must be an absolute path');
}

/** Checks an Ingress's spec. */
export function checkIngress(object: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(object, 'spec');
  const rules = listAt(spec, 'rules');
  if (rules.length === 0 && !isObject(spec['defaultBackend']))
    errors.invalid(['spec'], '', 'either `defaultBackend` or `rules` must be specified');
  for (const [i, rule] of rules.entries()) {
    const at = ['spec', 'rules', i];
    const host = findString(rule, 'host') ?? '';
    if (/^[0-9.]+$/.test(host) && host.split('.').length === 4)
      errors.invalid([...at, 'host'], host, 'must be a DNS name, not an IP address');
    else if (host !== '') errors.each(checkIngressHost(host), [...at, 'host'], host);
    const paths = listAt(rule, 'http', 'paths');
    if (isObject(rule) && isObject(rule['http']) && paths.length === 0) errors.required([...at, 'http', 'paths']);
    for (const [p, path] of paths.entries()) {
      checkIngressPath(path, [...at, 'http', 'paths', p], errors);
      checkBackend(objectAt(path, 'backend', 'service'), [...at, 'http', 'paths', p, 'backend', 'service'], errors);
    }
  }
  for (const [i, tls] of listAt(spec, 'tls').entries()) {
    for (const [h, host] of listAt(tls, 'hosts').entries())
      errors.each(checkIngressHost(showValue(host)), ['spec', 'tls', i, 'hosts', h], showValue(host));
    const secret = findString(tls, 'secretName') ?? '';
    if (secret !== '') errors.each(checkDnsSubdomain(secret), ['spec', 'tls', i, 'secretName'], secret);
  }
  const className = findString(spec, 'ingressClassName');
  if (className !== undefined) errors.each(checkDnsSubdomain(className), ['spec', 'ingressClassName'], className);
}
