import type { PlatformContext } from '../context.ts';
import { at, text, truthy, type Value } from '../go-values.ts';
import { etcdFullName, fullName } from '../names.ts';

function isOn(value: Value): boolean {
  return value !== false;
}

function orDefault(value: Value, fallback: string): string {
  return truthy(value) ? text(value) : fallback;
}

function names(
  context: PlatformContext,
  part: 'nats' | 'etcd',
): { release: string; nameOverride: Value; fullnameOverride: Value } {
  return {
    release: context.release,
    nameOverride: at(context.values, part, 'nameOverride'),
    fullnameOverride: at(context.values, part, 'fullnameOverride'),
  };
}

/** Address of the release's own NATS Service, or undefined when the release has no NATS. */
export function natsAddress(context: PlatformContext, clusterDomain: string): string | undefined {
  const nats = at(context.values, 'nats');
  if (!isOn(at(nats, 'enabled')) || !isOn(at(nats, 'service.enabled'))) return undefined;
  const service = orDefault(at(nats, 'service.name'), fullName({ ...names(context, 'nats'), chart: 'nats' }));
  const namespace = orDefault(at(nats, 'namespaceOverride'), context.namespace);
  const scheme = truthy(at(nats, 'config.nats.tls.enabled')) ? 'tls' : 'nats';
  return `${scheme}://${service}.${namespace}.svc.${clusterDomain}:${orDefault(at(nats, 'config.nats.port'), '4222')}`;
}

/** Address of the release's own etcd Service, or undefined when the release has no etcd. */
export function etcdAddress(context: PlatformContext, clusterDomain: string): string | undefined {
  const etcd = at(context.values, 'etcd');
  if (!isOn(at(etcd, 'enabled')) || !isOn(at(etcd, 'service.enabled'))) return undefined;
  const namespace = orDefault(at(etcd, 'namespaceOverride'), context.namespace);
  const scheme = truthy(at(etcd, 'auth.client.secureTransport')) ? 'https://' : '';
  return `${scheme}${etcdFullName(names(context, 'etcd'))}.${namespace}.svc.${clusterDomain}:${orDefault(at(etcd, 'service.ports.client'), '2379')}`;
}
