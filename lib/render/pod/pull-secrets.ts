import type { ComponentSpec, LocalReference } from '../../api/index.ts';
import type { Cluster } from '../render-context.ts';
import { annotation } from '../label-keys.ts';

/** The registry host of an image, or of a key in a Docker config: the host and port of the URL; undefined when the URL has none. */
export function registryHost(reference: string): string | undefined {
  const scheme = reference.indexOf('://');
  const rest = scheme === -1 ? reference : reference.slice(scheme + 3);
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host === '' || /[\s<>"\\^`{|}]/.test(host)) return undefined;
  const colon = host.lastIndexOf(':');
  return colon !== -1 && !host.endsWith(']') && !/^[0-9]*$/.test(host.slice(colon + 1)) ? undefined : host;
}

/** The user's pull secrets, followed by those found for the registry of the main image. */
export function imagePullSecrets(
  component: ComponentSpec,
  given: readonly LocalReference[] | undefined,
  namespace: string,
  cluster: Cluster,
): readonly LocalReference[] | undefined {
  const image = component.extraPodSpec?.mainContainer?.image;
  if (!image || component.annotations?.[annotation.disablePullSecretDiscovery] === 'true') return given;
  const host = registryHost(image);
  const found = host === undefined ? [] : cluster.pullSecrets(namespace, host);
  if (found.length === 0) return given;
  const names = new Set([...(given ?? []).map((secret) => secret.name ?? ''), ...found]);
  return [...names].map((name) => (name === '' ? {} : { name }));
}
