import type { Issue } from '../api/issue.ts';
import { isObject, type Json, type JsonObject } from '../json/index.ts';
import type { PlatformContext } from './platform-context.ts';
import { at, list, map, text } from './go-values.ts';
import { isFloating } from './images.ts';
import type { KubernetesObject } from './part.ts';

/** What the level `restricted` of Pod Security forbids a container, with the security contexts of pod and container in one. */
const containerRules: Readonly<Record<string, (container: JsonObject, security: JsonObject) => boolean>> = {
  'is privileged': (_container, security) => security['privileged'] === true,
  'may gain privileges': (_container, security) => security['allowPrivilegeEscalation'] !== false,
  'may run as root': (_container, security) => security['runAsNonRoot'] !== true || security['runAsUser'] === 0,
  'keeps capabilities': (_container, security) =>
    !list(at(security, 'capabilities.drop')).includes('ALL') ||
    list(at(security, 'capabilities.add')).some((capability) => capability !== 'NET_BIND_SERVICE'),
  'has no seccomp profile': (_container, security) =>
    !['RuntimeDefault', 'Localhost'].includes(text(at(security, 'seccompProfile.type'))),
  'takes a port of its node': (container) => list(container['ports']).some((port) => Boolean(at(port, 'hostPort'))),
};

/** What it forbids a pod. */
const podRules: Readonly<Record<string, (pod: JsonObject) => boolean>> = {
  'shares a namespace of its node': (pod) => ['hostNetwork', 'hostPID', 'hostIPC'].some((key) => pod[key] === true),
  'mounts a path of its node': (pod) => list(pod['volumes']).some((volume) => at(volume, 'hostPath') !== undefined),
};

function podOf(object: KubernetesObject): JsonObject | undefined {
  const spec: Json | undefined = at(object, 'spec.template.spec') ?? at(object, 'spec.jobTemplate.spec.template.spec');
  return isObject(spec) ? spec : undefined;
}

function podSecurityWarnings(what: string, pod: JsonObject, containers: readonly JsonObject[]): readonly Issue[] {
  const found = [
    { who: what, broken: Object.entries(podRules).flatMap(([name, breaks]) => (breaks(pod) ? [name] : [])) },
    ...containers.map((container) => {
      const security = { ...map(pod['securityContext']), ...map(container['securityContext']) };
      const broken = Object.entries(containerRules).flatMap(([name, breaks]) => (breaks(container, security) ? [name] : []));
      return { who: `${what}, container ${text(container['name'])}`, broken };
    }),
  ];
  return found
    .filter(({ broken }) => broken.length > 0)
    .map(({ who, broken }) => ({
      path: [],
      code: 'pod_security',
      message: `${who} ${broken.join(', ')}; a namespace that enforces Pod Security restricted refuses it`,
    }));
}

/** What the values made of pods against the profile: rights that Pod Security `restricted` forbids, and images that change under their name. */
export function podWarnings(objects: readonly KubernetesObject[], { switches }: PlatformContext): readonly Issue[] {
  return objects.flatMap((object) => {
    const pod = podOf(object);
    if (pod === undefined) return [];
    const what = `${object.kind} ${object.metadata.name}`;
    const containers = ['initContainers', 'containers'].flatMap((key) => list(pod[key]).map(map));
    const floating = switches['sound-values'] ? containers.filter((container) => isFloating(text(container['image']))) : [];
    return [
      ...(switches['pod-security'] ? podSecurityWarnings(what, pod, containers) : []),
      ...floating.map(({ name, image }) => ({
        path: [],
        code: 'floating_image',
        message: `${what}, container ${text(name)}: ${text(image)} should name a version or a digest: a floating tag makes every restart a possible upgrade`,
      })),
    ];
  });
}
