import type { ChildObject, StringMap } from './child.ts';
import { componentAnnotations, componentLabels } from './component-labels.ts';
import type { RenderContext } from './render-context.ts';
import { annotation, label } from './label-keys.ts';
import type { Outcome } from './outcome.ts';
import { renderPodTemplate, type TemplateRequest } from './pod-template.ts';

/** The Deployment of a component, and a second one for debugging when the component is annotated to steal traffic. */
export function renderDeployments(
  request: Omit<TemplateRequest, 'role' | 'workload'>,
  context: RenderContext,
): Outcome<readonly ChildObject[]> {
  const spec = request.resource.spec ?? {};
  const main = renderDeployment({ ...request, role: 'main', workload: request.name }, spec.replicas, context);
  if ('problems' in main) return main;
  if (spec.annotations?.[annotation.stealTraffic] !== 'true') return { value: [main.value] };
  const debug = renderDeployment({ ...request, role: 'main', workload: `${request.name}-d`, debugTarget: true }, 1, context);
  return 'problems' in debug ? debug : { value: [main.value, debug.value] };
}

function renderDeployment(request: TemplateRequest, replicas: number | undefined, context: RenderContext): Outcome<ChildObject> {
  const template = renderPodTemplate(request, context);
  if ('problems' in template) return template;
  const labels = componentLabels(request.resource);
  const annotations = componentAnnotations(request.resource);
  return {
    value: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: request.workload,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      body: {
        spec: {
          ...(replicas !== undefined && { replicas }),
          selector: { matchLabels: { [label.selector]: request.workload } },
          strategy: strategy(request.resource.spec?.annotations, annotations),
          template: template.value,
        },
      },
    },
  };
}

function strategy(own: StringMap | undefined, all: StringMap | undefined): object {
  if (own?.[annotation.strategy] === 'Recreate') return { type: 'Recreate' };
  // A number if the value fits an int32, else a string, as `intstr.Parse` of k8s.io/apimachinery.
  const bound = (key: string): string | number => {
    const value = all?.[key] || '25%';
    const int32 = Number(value) | 0;
    return /^[+-]?[0-9]+$/.test(value) && int32 === Number(value) ? int32 : value;
  };
  return {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: bound(annotation.maxSurge), maxUnavailable: bound(annotation.maxUnavailable) },
  };
}
