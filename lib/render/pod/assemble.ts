import type { ComponentSpec, Probe } from '../../api/index.ts';
import type { RenderContext } from '../context.ts';
import { discoveryAccount, discoveryBackend, dynamoNamespace } from '../keys.ts';
import { engineContainer, engineVolumes } from '../multinode/spread.ts';
import type { Outcome, Problem } from '../outcome.ts';
import { container as containerShape, envVar, probe as probeShape, resourceClaim } from '../wire/container-shapes.ts';
import { rewrite } from '../wire/field.ts';
import { podSettings } from '../wire/pod-shapes.ts';
import { typeDefaults, type TypeDefaults } from './defaults.ts';
import { fromField, mergeEnvs, standardEnv, variable } from './env.ts';
import { overlayProbe } from './probes.ts';
import { imagePullSecrets } from './pull-secrets.ts';
import { overlayResources } from './resources.ts';
import type { Env, Mounted, PodRequest, RenderedContainer, RenderedPod } from './types.ts';
import { componentVolumes } from './volumes.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The pod of a component: defaults of its type, the user's settings over them, then what its engine needs. */
export function assemblePod(request: PodRequest, context: RenderContext): Outcome<RenderedPod> {
  const { component, framework, graph, namespace } = request;
  const defaults = typeDefaults(component, graph, namespace);
  const mounted = componentVolumes(component, framework);
  const main = mainContainer(request, defaults, context);
  const problems: Problem[] = [mounted, main].flatMap((outcome) => ('problems' in outcome ? outcome.problems : []));
  if ('problems' in mounted || 'problems' in main) return { problems };
  const container = engineContainer(withMounts(main.value, mounted.value), request, context.config);
  return { value: podAround(container, request, defaults, mounted.value, context) };
}

function mainContainer(request: PodRequest, defaults: TypeDefaults, context: RenderContext): Outcome<RenderedContainer> {
  const { component } = request;
  const user = rewrite(containerShape, component.extraPodSpec?.mainContainer);
  const resources = overlayResources(user.resources ?? {}, typedResources(component));
  if ('problems' in resources) return resources;
  const merged: Mutable<RenderedContainer> = { ...user, name: user.name || 'main' };
  setUnlessEmpty(merged, 'command', user.command ?? defaults.command);
  setUnlessEmpty(merged, 'args', user.args ?? defaults.args);
  setUnlessEmpty(merged, 'ports', user.ports ?? defaults.ports);
  setUnlessEmpty(merged, 'volumeMounts', user.volumeMounts ?? defaults.volumeMounts);
  setUnlessEmpty(
    merged,
    'livenessProbe',
    componentProbe(component.livenessProbe) ?? overlayProbe(defaults.livenessProbe, user.livenessProbe),
  );
  setUnlessEmpty(
    merged,
    'readinessProbe',
    componentProbe(component.readinessProbe) ?? overlayProbe(defaults.readinessProbe, user.readinessProbe),
  );
  setUnlessEmpty(merged, 'startupProbe', user.startupProbe ?? defaults.startupProbe);
  merged.resources = resources.value;
  merged.env = mergeEnvs(
    standardEnv(context.config),
    commonEnv(request, context),
    defaults.env,
    user.env,
    typedEnv(component.envs),
  );
  if (component.envFromSecret !== undefined)
    merged.envFrom = [...(user.envFrom ?? []), { secretRef: secretReference(component.envFromSecret) }];
  return { value: merged };
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

function podAround(
  container: RenderedContainer,
  request: PodRequest,
  defaults: TypeDefaults,
  mounted: Mounted,
  context: RenderContext,
): RenderedPod {
  const { component, graph, namespace } = request;
  const user = rewrite(podSettings, component.extraPodSpec);
  const sidecars = (component.extraPodSpec?.containers ?? []).map((sidecar) => rewrite(containerShape, sidecar));
  const discovers = discoveryBackend(component.annotations, context.config.discoveryBackend) === 'kubernetes';
  const pod: Mutable<RenderedPod> = {
    ...user,
    containers: [...sidecars, container],
    restartPolicy: user.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: user.terminationGracePeriodSeconds || defaults.graceSeconds,
    securityContext: user.securityContext ?? { fsGroup: 1000 },
  };
  const account = user.serviceAccountName ?? defaults.serviceAccountName ?? (discovers ? discoveryAccount(graph) : undefined);
  setUnlessEmpty(pod, 'serviceAccountName', account);
  setUnlessEmpty(pod, 'imagePullSecrets', imagePullSecrets(component, user.imagePullSecrets, namespace, context.cluster));
  setUnlessEmpty(pod, 'volumes', [
    ...(user.volumes ?? defaults.volumes ?? []),
    ...mounted.volumes,
    ...engineVolumes(request, context.config),
  ]);
  return pod;
}

function setUnlessEmpty<T, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
  target[key] = value;
}

function secretReference(name: string): { readonly name?: string } {
  return name === '' ? {} : { name };
}

function componentProbe(probe: Probe | undefined): Probe | undefined {
  return probe === undefined ? undefined : rewrite(probeShape, probe);
}

function typedEnv(envs: Env | undefined): Env {
  return (envs ?? []).map((entry) => rewrite(envVar, entry));
}

function typedResources({ resources }: ComponentSpec): ComponentSpec['resources'] {
  if (resources?.claims === undefined) return resources;
  return { ...resources, claims: resources.claims.map((claim) => rewrite(resourceClaim, claim)) };
}
