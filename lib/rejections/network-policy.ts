import { findString, isObject, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabelSelector } from './metadata.ts';
import { checkPortReference } from './probes.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];

/** Checks a NetworkPolicy's spec. */
export function checkNetworkPolicy(object: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(object, 'spec');
  checkLabelSelector(spec['podSelector'], ['spec', 'podSelector'], errors);
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const)
    for (const [i, rule] of listAt(spec, direction).entries()) {
      checkPorts(rule, ['spec', direction, i, 'ports'], errors);
      for (const [k, peer] of listAt(rule, peers).entries()) checkPeer(peer, ['spec', direction, i, peers, k], errors);
    }
}

function checkPorts(rule: unknown, field: Path, errors: FieldErrors): void {
  for (const [i, port] of (isObject(rule) ? listAt(rule, 'ports') : []).entries()) {
    const at = [...field, i];
    const protocol = findString(port, 'protocol') || 'TCP';
    if (!protocols.includes(protocol)) errors.unsupported([...at, 'protocol'], protocol, protocols);
    if (isObject(port) && port['port'] !== undefined) checkPortReference(port['port'], [...at, 'port'], errors);
  }
}

function checkPeer(peer: unknown, field: Path, errors: FieldErrors): void {
  if (!isObject(peer)) return;
  for (const key of ['podSelector', 'namespaceSelector']) checkLabelSelector(peer[key], [...field, key], errors);
  const kinds = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((key) => isObject(peer[key]));
  if (kinds.length === 0) errors.required(field, 'must specify a peer');
  else if (kinds.includes('ipBlock') && kinds.length > 1)
    errors.forbidden(field, 'may not specify both ipBlock and another peer');
}
