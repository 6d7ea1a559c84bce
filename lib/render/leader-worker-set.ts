import { replicaName } from './object-names.ts';
import { mergeStringMaps, type ChildObject } from './child.ts';
import { componentLabels } from './component-labels.ts';
import type { RenderContext } from './render-context.ts';
import { annotation, label } from './label-keys.ts';
import { largestCluster } from './largest-cluster.ts';
import { problem, type Outcome, type Problem } from './outcome.ts';
import { renderPodTemplate, type PodTemplate, type TemplateRequest } from './pod-template.ts';

type Request = Omit<TemplateRequest, 'role' | 'workload'>;

/** A Volcano PodGroup and a LeaderWorkerSet for every replica of a multinode component. */
export function renderLeaderWorkerSets(request: Request, context: RenderContext): Outcome<readonly ChildObject[]> {
  const count = request.resource.spec?.replicas ?? 1;
  // Without this limit a graph of a few lines would render for hours.
  if (count > largestCluster.nodes)
    return problem(
      'too_large',
      ['replicas'],
      `must be ${largestCluster.nodes} or less with multinode, got ${count}`,
      `: every replica is a LeaderWorkerSet on nodes of its own, and Kubernetes supports ${largestCluster.nodes} nodes`,
    );
  const objects: ChildObject[] = [];
  for (let index = 0; index < count; index++) {
    const leader = template(request, 'leader', context);
    const worker = template(request, 'worker', context);
    const problems = [leader, worker].flatMap((outcome) => ('problems' in outcome ? outcome.problems : []));
    if ('problems' in leader || 'problems' in worker) return { problems: distinct(problems) };
    objects.push(podGroup(request, index), leaderWorkerSet(request, index, leader.value, worker.value));
  }
  return { value: objects };
}

function podGroup({ name, nodes }: Request, index: number): ChildObject {
  return {
    apiVersion: 'scheduling.volcano.sh/v1beta1',
    kind: 'PodGroup',
    name: replicaName(name, index),
    labels: { [label.instance]: `${index}` },
    body: { spec: { minMember: nodes } },
  };
}

function leaderWorkerSet(request: Request, index: number, leader: PodTemplate, worker: PodTemplate): ChildObject {
  const labels = mergeStringMaps(componentLabels(request.resource), { [label.instance]: `${index}` });
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    name: replicaName(request.name, index),
    ...(labels && { labels }),
    body: {
      spec: {
        replicas: 1,
        startupPolicy: 'LeaderCreated',
        // The operator sends an empty type, recorded; the webhook of LeaderWorkerSet sets the default.
        rolloutStrategy: { type: '' },
        leaderWorkerTemplate: {
          size: request.nodes,
          leaderTemplate: instanceTemplate(request, leader, 'leader', index),
          workerTemplate: instanceTemplate(request, worker, 'worker', index),
        },
      },
    },
  };
}

function instanceTemplate(request: Request, { metadata, spec }: PodTemplate, role: string, index: number): PodTemplate {
  const { [label.selector]: _selector, ...labels } = { ...metadata.labels, ...componentLabels(request.resource) };
  const merged = mergeStringMaps(labels, { [label.instance]: `${index}`, [label.role]: role });
  const annotations = mergeStringMaps(metadata.annotations, { [annotation.volcanoGroup]: replicaName(request.name, index) });
  return {
    metadata: { ...(merged && { labels: merged }), ...(annotations && { annotations }) },
    spec: { ...spec, schedulerName: 'volcano' },
  };
}

const prefixes = {
  leader: 'generateLeaderWorkerSet: failed to generate leader pod template: generateLeaderPodTemplateSpec: ',
  worker: 'generateLeaderWorkerSet: failed to generate worker pod template: generateWorkerPodTemplateSpec: ',
};

function template(request: Request, role: 'leader' | 'worker', context: RenderContext): Outcome<PodTemplate> {
  const rendered = renderPodTemplate({ ...request, role, workload: request.name }, context);
  if ('problems' in rendered)
    return { problems: rendered.problems.map((p) => ({ ...p, prefix: `${prefixes[role]}${p.prefix ?? ''}` })) };
  const fault = mainContainerFault(rendered.value);
  const check = `${prefixes[role]}failed to check main container: `;
  const problems: Problem[] = [];
  if (fault !== undefined)
    problems.push({
      code: 'invalid_main_container',
      path: ['extraPodSpec', 'mainContainer'],
      message: fault,
      prefix: check,
      advice: faults[fault],
    });
  if (role === 'worker' && !request.resource.spec?.resources?.limits?.gpu)
    problems.push({
      code: 'required',
      path: ['resources', 'limits', 'gpu'],
      message: 'GPU limit is not set for LWS worker pod',
      prefix: prefixes.worker,
      advice: '; set resources.limits.gpu',
    });
  return problems.length > 0 ? { problems } : rendered;
}

/** Errors of the original operator about the main container, and the advice that is added to each. */
const faults = {
  'main container not found in pod spec': '; leave mainContainer.name out',
  'container Command cannot be nil for LWS pod': '; set mainContainer.command',
  'container Args cannot be empty for LWS pod': '; set mainContainer.args',
} as const;

/** Leader and worker usually have the same problems; each is reported once. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.toReversed().map((p) => [`${p.path.join('/')} ${p.message}`, p])).values()].toReversed();
}

function mainContainerFault({ spec }: PodTemplate): keyof typeof faults | undefined {
  const main = spec.containers.find((container) => container.name === 'main');
  if (main === undefined) return 'main container not found in pod spec';
  if ((main.command ?? []).length === 0) return 'container Command cannot be nil for LWS pod';
  return (main.args ?? []).length === 0 ? 'container Args cannot be empty for LWS pod' : undefined;
}
