import type { Issue, KubernetesObject } from '../api/index.ts';
import { isObject, type Json, type JsonObject, listAt, objectAt } from '../json/index.ts';
import type { PlatformContext } from './platform-context.ts';
import { atPath, templateString } from './go-values.ts';
import { isFloating } from './images.ts';

/**
 * What the Pod Security level `restricted` forbids for a container, given the security context of the container merged into that of the pod:
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
 */
const containerRules: Readonly<Record<string, (container: JsonObject, security: JsonObject) => boolean>> = {
  'is privileged': (_container, security) => security['privileged'] === true,
  'may gain privileges': (_container, security) => security['allowPrivilegeEscalation'] !== false,
  'may run as root': (_container, security) => security['runAsNonRoot'] !== true || security['runAsUser'] === 0,
  'keeps capabilities': (_container, security) =>
    !listAt(atPath(security, 'capabilities.drop')).includes('ALL') ||
    listAt(atPath(security, 'capabilities.add')).some((capability) => capability !== 'NET_BIND_SERVICE'),
  'has no seccomp profile': (_container, security) =>
    !['RuntimeDefault', 'Localhost'].includes(templateString(atPath(security, 'seccompProfile.type'))),
  'takes a port of its node': (container) => listAt(container['ports']).some((port) => Boolean(atPath(port, 'hostPort'))),
};

/** What the Pod Security level `restricted` forbids for a pod. */
const podRules: Readonly<Record<string, (pod: JsonObject) => boolean>> = {
  'shares a namespace of its node': (pod) => ['hostNetwork', 'hostPID', 'hostIPC'].some((key) => pod[key] === true),
  'mounts a path of its node': (pod) => listAt(pod['volumes']).some((volume) => atPath(volume, 'hostPath') !== undefined),
};

function podOf(object: KubernetesObject): JsonObject | undefined {
  const spec: Json | undefined = atPath(object, 'spec.template.spec') ?? atPath(object, 'spec.jobTemplate.spec.template.spec');
  return isObject(spec) ? spec : undefined;
}

function podSecurityWarnings(what: string, pod: JsonObject, containers: readonly JsonObject[]): readonly Issue[] {
  const found = [
    { subject: what, broken: Object.entries(podRules).flatMap(([name, breaks]) => (breaks(pod) ? [name] : [])) },
    ...containers.map((container) => {
      const security = { ...objectAt(pod['securityContext']), ...objectAt(container['securityContext']) };
      const broken = Object.entries(containerRules).flatMap(([name, breaks]) => (breaks(container, security) ? [name] : []));
      return { subject: `${what}, container ${templateString(container['name'])}`, broken };
    }),
  ];
  return found
    .filter(({ broken }) => broken.length > 0)
    .map(({ subject, broken }) => ({
      path: [],
      code: 'pod_security',
      message: `${subject} ${broken.join(', ')}; a namespace that enforces Pod Security restricted rejects it`,
    }));
}

/** Warnings about pods that values make less secure: settings that Pod Security `restricted` forbids, and images whose tag may change. */
export function podWarnings(objects: readonly KubernetesObject[], { switches }: PlatformContext): readonly Issue[] {
  return objects.flatMap((object) => {
    const pod = podOf(object);
    if (pod === undefined) return [];
    const what = `${object.kind} ${object.metadata.name}`;
    const containers = ['initContainers', 'containers'].flatMap((key) =>
      listAt(pod[key]).map((container) => objectAt(container)),
    );
    const floating = switches['sound-values']
      ? containers.filter((container) => isFloating(templateString(container['image'])))
      : [];
    return [
      ...(switches['pod-security'] ? podSecurityWarnings(what, pod, containers) : []),
      ...floating.map(({ name, image }) => ({
        path: [],
        code: 'floating_image',
        message: `${what}, container ${templateString(name)}: ${templateString(image)} should name a version or a digest: a floating tag makes every restart a possible upgrade`,
      })),
    ];
  });
}
