import { type KaiRelease, imageNamed } from './release.ts';
import { isObject, type JsonObject, listAt, objectAt } from '../../json/index.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { restrictedContainer, restrictedPod } from '../pod-security.ts';

/** The name of a pull secret; the original prints a map with Go's `%v`. */
function secretName(kai: KaiRelease, entry: JsonObject | string): string {
  if (typeof entry === 'string') return entry;
  const name = templateString(atPath(entry, 'name'));
  return kai.context.switches['kai-repairs'] ? name : `map[name:${name}]`;
}

/** Settings of every pod: pull secrets, placement and, in the secure profile, the security context. */
export function podSettings(kai: KaiRelease): JsonObject {
  const { values, context } = kai;
  const global = atPath(values, 'global');
  const secrets = listAt(atPath(global, 'imagePullSecrets')).map((entry) => (isObject(entry) ? entry : templateString(entry)));
  const set = (key: string): JsonObject => (truthy(atPath(global, key)) ? { [key]: atPath(global, key) } : {});
  return {
    ...(secrets.length > 0 ? { imagePullSecrets: secrets.map((entry) => ({ name: secretName(kai, entry) })) } : {}),
    ...set('nodeSelector'),
    ...set('affinity'),
    ...set('tolerations'),
    ...(context.switches['pod-security'] ? { securityContext: restrictedPod({}, context) } : {}),
  };
}

/** Requests of a component that the values give none. Limits depend on the size of the cluster, so none are set. */
const requests = { cpu: '100m', memory: '256Mi', 'ephemeral-storage': '32Mi' };

function resourcesOf({ context }: KaiRelease, given: Value): JsonObject {
  if (truthy(given)) return { resources: given };
  return context.switches['container-resources'] ? { resources: { requests } } : {};
}

/** Image, pull policy, security context and resources of a component's container. */
export function containerSettings(kai: KaiRelease, component: string, withResources = true): JsonObject {
  const { values, context } = kai;
  const block = atPath(values, component);
  // The operator passes it to the components through the Config resource and runs without it.
  const given = component === 'operator' ? {} : objectAt(atPath(values, 'global.securityContext'));
  const securityContext = restrictedContainer(given, context);
  return {
    image: imageNamed(kai, templateString(atPath(block, 'image.name'))),
    imagePullPolicy: templateString(atPath(block, 'image.pullPolicy')),
    ...(truthy(securityContext) ? { securityContext } : {}),
    ...(withResources ? resourcesOf(kai, atPath(block, 'resources')) : {}),
  };
}

/** Further arguments of a component. */
export function additionalArguments({ values }: KaiRelease, component: string): readonly string[] {
  return listAt(atPath(values, component, 'additionalArgs')).map(templateString);
}

/** Port of an address such as `:8081`, as a number where it is one. */
export function portOf(address: string): number | string {
  const port = address.slice(address.lastIndexOf(':') + 1);
  return /^\d+$/.test(port) ? Number(port) : port;
}
