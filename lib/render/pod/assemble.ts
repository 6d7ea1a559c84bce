import { type ComponentSpec, dynamoNamespace } from '../../api/index.ts';
import type { RenderContext } from '../render-context.ts';
import { discoveryBackend } from '../discovery-backend.ts';
import { discoveryAccount } from '../object-names.ts';
import { engineContainer, engineVolumes } from '../multinode/engine.ts';
import type { Outcome, Problem } from '../outcome.ts';
import { container as containerShape, envVar, probe as probeShape, resourceClaim } from '../wire/container-shapes.ts';
import { sortFields, rewrite } from '../wire/field.ts';
import { podSettings, podShape } from '../wire/pod-shapes.ts';
import { typeDefaults, type TypeDefaults } from './component-type-defaults.ts';
import { fromField, mergeEnvs, standardEnv, variable } from './env.ts';
import { overlayProbe } from './overlay-probe.ts';
import { imagePullSecrets } from './pull-secrets.ts';
import { overlayResources } from './resources.ts';
import type { Env, Mounted, PodRequest, RenderedContainer, RenderedPod } from './types.ts';
import { componentVolumes } from './volumes.ts';

/** Renders the pod spec of a component: the defaults of its type, overridden by the user's settings, then the changes of its engine. */
export function assemblePod(request: PodRequest, context: RenderContext): Outcome<RenderedPod> {
  const { component, framework, graph, namespace } = request;
  const defaults = typeDefaults(component, graph, namespace);
  const mounted = componentVolumes(component, framework);
  const main = mainContainer(request, defaults, context);
  const problems: Problem[] = [mounted, main].flatMap((outcome) => ('problems' in outcome ? outcome.problems : []));
  if ('problems' in mounted || 'problems' in main) return { problems };
  const container = engineContainer(withMounts(main.value, mounted.value), request, context.config);
  return { value: podSpec(container, request, defaults, mounted.value, context) };
}

/** The main container before the changes of its engine. Fields may be undefined; `sortFields` drops them at the end. */
function mainContainer(request: PodRequest, defaults: TypeDefaults, context: RenderContext): Outcome<RenderedContainer> {
  const { component } = request;
  const user = rewrite(containerShape, component.extraPodSpec?.mainContainer);
  const resources = overlayResources(user.resources ?? {}, typedResources(component));
  if ('problems' in resources) return resources;
  const { livenessProbe, readinessProbe, envFromSecret } = component;
  const fromSecret = envFromSecret === undefined ? [] : [{ secretRef: envFromSecret === '' ? {} : { name: envFromSecret } }];
  const value: RenderedContainer = {
    ...user,
    name: user.name || 'main',
    command: user.command ?? defaults.command,
    args: user.args ?? defaults.args,
    ports: user.ports ?? defaults.ports,
    envFrom: unlessEmpty([...(user.envFrom ?? []), ...fromSecret]),
    env: mergeEnvs(standardEnv(context.config), commonEnv(request, context), defaults.env, user.env, typedEnv(component.envs)),
    resources: resources.value,
    volumeMounts: user.volumeMounts ?? defaults.volumeMounts,
    livenessProbe: livenessProbe ? rewrite(probeShape, livenessProbe) : overlayProbe(defaults.livenessProbe, user.livenessProbe),
    readinessProbe: readinessProbe
      ? rewrite(probeShape, readinessProbe)
      : overlayProbe(defaults.readinessProbe, user.readinessProbe),
    startupProbe: user.startupProbe ?? defaults.startupProbe,
  };
  return { value };
}

function commonEnv({ component, graph, namespace }: PodRequest, { config }: RenderContext): Env {
  return [
    variable('DYN_NAMESPACE', dynamoNamespace(namespace, graph, component.globalDynamoNamespace)),
    variable('DYN_COMPONENT', component.componentType ?? ''),
    variable('DYN_PARENT_DGD_K8S_NAME', graph),
    variable('DYN_PARENT_DGD_K8S_NAMESPACE', namespace),
    fromField('POD_NAME', 'metadata.name'),
    fromField('POD_NAMESPACE', 'metadata.namespace'),
    fromField('POD_UID', 'metadata.uid'),
    ...(discoveryBackend(component.annotations, config.discoveryBackend) === 'etcd'
      ? []
      : [variable('DYN_DISCOVERY_BACKEND', 'kubernetes')]),
  ];
}

function withMounts(container: RenderedContainer, { mounts }: Mounted): RenderedContainer {
  const all = [...(container.volumeMounts ?? []), ...mounts];
  return all.length === 0 ? container : { ...container, volumeMounts: all };
}

function podSpec(
  container: RenderedContainer,
  request: PodRequest,
  defaults: TypeDefaults,
  mounted: Mounted,
  context: RenderContext,
): RenderedPod {
  const { component, graph, namespace } = request;
  const user = rewrite(podSettings, component.extraPodSpec);
  const sidecars = (component.extraPodSpec?.containers ?? []).map((sidecar) => rewrite(containerShape, sidecar));
  const usesKubernetesDiscovery = discoveryBackend(component.annotations, context.config.discoveryBackend) === 'kubernetes';
  const fields: RenderedPod = {
    ...user,
    containers: [...sidecars, sortFields(containerShape, container)],
    volumes: unlessEmpty([
      ...(user.volumes ?? defaults.volumes ?? []),
      ...mounted.volumes,
      ...engineVolumes(request, context.config),
    ]),
    restartPolicy: user.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: user.terminationGracePeriodSeconds || defaults.graceSeconds,
    serviceAccountName:
      user.serviceAccountName ?? defaults.serviceAccountName ?? (usesKubernetesDiscovery ? discoveryAccount(graph) : undefined),
    securityContext: user.securityContext ?? { fsGroup: 1000 },
    imagePullSecrets: imagePullSecrets(component, user.imagePullSecrets, namespace, context.cluster),
  };
  return sortFields(podShape, fields);
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function typedEnv(envs: Env | undefined): Env {
  return (envs ?? []).map((entry) => rewrite(envVar, entry));
}

function typedResources({ resources }: ComponentSpec): ComponentSpec['resources'] {
  if (resources?.claims === undefined) return resources;
  return { ...resources, claims: resources.claims.map((claim) => rewrite(resourceClaim, claim)) };
}
