import type { DynamoGraphDeployment, Issue } from '../api/index.ts';
import type { Path } from '../json/index.ts';
import { apiGroup } from './api-groups.ts';
import { annotation } from './label-keys.ts';
import type { RenderContext } from './render-context.ts';
import type { RenderIssue } from './result.ts';

/** The queue of a graph, if the cluster has the KAI scheduler, and why it cannot be used. */
interface KaiQueue {
  readonly name: string | undefined;
  readonly issues: readonly RenderIssue[];
  readonly warnings: readonly Issue[];
}

/** The KAI queue that the pods of a graph on Grove wait in: the one of its annotation, or `dynamo`. `chain` is the beginning of the operator's error. */
export function kaiQueue(graph: DynamoGraphDeployment, { cluster }: RenderContext, chain: string): KaiQueue {
  if (!cluster.hasApiGroup(apiGroup.kai)) return { name: undefined, issues: [], warnings: [] };
  const given = graph.metadata.annotations?.[annotation.kaiQueue]?.trim();
  const name = given || 'dynamo';
  const path: Path = given ? ['metadata', 'annotations', annotation.kaiQueue] : ['metadata', 'name'];
  const existence = cluster.queue(name);
  if (existence === 'present') return { name, issues: [], warnings: [] };
  if (existence === 'unknown') {
    const message = `the kai-scheduler queue "${name}" is not among the given documents: it must exist in the cluster`;
    return { name, issues: [], warnings: [{ path, code: 'unknown_queue', message }] };
  }
  const message = `failed to determine kai-scheduler queue: kai-scheduler queue validation failed: queue '${name}' not found in cluster. Ensure the queue exists before using kai-scheduler`;
  return { name, issues: [{ path, code: 'missing_queue', message, chain: `${chain}${message}` }], warnings: [] };
}
