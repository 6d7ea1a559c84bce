import type { Container, DynamoComponentDeployment } from '../api/index.ts';
import { mergeStringMaps, type StringMap } from './child.ts';
import { componentLabels } from './component-labels.ts';
import type { RenderContext } from './render-context.ts';
import { annotation, label } from './label-keys.ts';
import { resolveFramework } from './framework.ts';
import { deployers } from './multinode/deployer.ts';
import type { Outcome } from './outcome.ts';
import { assemblePod } from './pod/assemble.ts';
import type { RenderedPod, PodRole } from './pod/types.ts';

/** The pod template of a Deployment or LeaderWorkerSet. */
export interface PodTemplate {
  readonly metadata: { readonly labels?: StringMap; readonly annotations?: StringMap };
  readonly spec: RenderedPod;
}

/** The pods to render for a DynamoComponentDeployment. */
export interface TemplateRequest {
  readonly resource: DynamoComponentDeployment;
  readonly name: string;
  readonly namespace: string;
  /** Name of the owning graph; empty without one. */
  readonly graph: string;
  readonly nodes: number;
  readonly role: PodRole;
  /** Name of the Deployment or LeaderWorkerSet of the pods. */
  readonly workload: string;
  /** Whether these are the pods of the second Deployment, which takes over traffic for debugging. */
  readonly debugTarget?: boolean;
}

/** Renders the pod template of a DynamoComponentDeployment. */
export function renderPodTemplate(request: TemplateRequest, context: RenderContext): Outcome<PodTemplate> {
  const { resource, graph, namespace, nodes, role } = request;
  const component = resource.spec ?? {};
  const framework = resolveFramework(component, resource.spec?.backendFramework);
  if ('problems' in framework)
    return {
      problems: framework.problems.map((p) => ({
        ...p,
        prefix: 'failed to generate base pod spec: failed to determine backend framework: ',
      })),
    };
  const pod = assemblePod(
    { component, framework: framework.value, graph, namespace, role, nodes, deployer: deployers.lws, serviceName: request.name },
    context,
  );
  if ('problems' in pod) return { problems: pod.problems.map((p) => ({ ...p, prefix: 'failed to generate base pod spec: ' })) };
  const labels = templateLabels(request);
  const annotations = templateAnnotations(resource);
  return {
    value: {
      metadata: { ...(labels && { labels }), ...(annotations && { annotations }) },
      spec: withDebugger(withAccount(pod.value, namespace, context), request, context),
    },
  };
}

function templateLabels({ resource, workload, debugTarget }: TemplateRequest): StringMap | undefined {
  const spec = resource.spec ?? {};
  return mergeStringMaps(
    componentLabels(resource),
    debugTarget ? { [label.targetType]: 'debug' } : undefined,
    spec.annotations?.[annotation.enableMetrics] === 'false' ? undefined : { [label.metricsEnabled]: 'true' },
    { [label.graph]: spec.labels?.[label.graph] ?? '' },
    spec.componentType ? { [label.componentType]: spec.componentType } : undefined,
    spec.subComponentType ? { [label.subComponentType]: spec.subComponentType } : undefined,
    { [label.selector]: workload },
    spec.extraPodMetadata?.labels,
  );
}

function templateAnnotations({ spec }: DynamoComponentDeployment): StringMap | undefined {
  const token = spec?.annotations?.[annotation.restartAt];
  return mergeStringMaps(
    spec?.extraPodMetadata?.annotations,
    token === undefined ? undefined : { [annotation.restartAt]: token },
  );
}

function withAccount(pod: RenderedPod, namespace: string, { cluster }: RenderContext): RenderedPod {
  return pod.serviceAccountName ? pod : { ...pod, serviceAccountName: cluster.podServiceAccount(namespace) ?? 'default' };
}

function withDebugger(pod: RenderedPod, { resource, debugTarget }: TemplateRequest, { config }: RenderContext): RenderedPod {
  if (!debugTarget && resource.spec?.annotations?.[annotation.debugMode] !== 'true') return pod;
  return { ...pod, containers: [...pod.containers, debuggerContainer(config.debuggerImage)], shareProcessNamespace: true };
}

function debuggerContainer(image: string): Container {
  return {
    name: 'debugger',
    image,
    command: ['sleep', 'infinity'],
    resources: { limits: { cpu: '1', memory: '1000Mi' }, requests: { cpu: '100m', memory: '100Mi' } },
    securityContext: { capabilities: { add: ['SYS_PTRACE'] } },
    stdin: true,
    tty: true,
  };
}
