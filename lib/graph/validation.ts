import type { DynamoGraph } from './graph.ts';
import { Worker } from './worker.ts';

/** One thing said against a graph. */
export interface GraphFinding {
  /** Stable name of the rule. */
  readonly id: string;
  readonly severity: 'error' | 'warning';
  /** Where in the object, as `spec.services.decode.replicas`. */
  readonly path: string;
  readonly message: string;
}

function sizingFindings(graph: DynamoGraph): GraphFinding[] {
  const workers = graph.components.filter((c) => c instanceof Worker);
  const uneven = workers.filter((w) => w.nodes > 1 && w.gpusPerPod * w.nodes !== w.engine.gpus);
  return uneven.map((w) => ({
    id: 'DYN-GPU-001',
    severity: 'error',
    path: `spec.services.${w.name}.resources.limits.gpu`,
    message: `${w.engine.gpus} GPUs cannot be spread evenly over nodes of ${w.nodeSize}; set gpusPerNode to a divisor of ${w.engine.gpus}`,
  }));
}

/** Everything that can be said against a graph, silenced findings left out. */
export function graphFindings(graph: DynamoGraph): readonly GraphFinding[] {
  return sizingFindings(graph).filter((f) => !graph.suppressed.has(f.id));
}

/** What cdk8s reports at synth: the errors, and the warnings if the chart says so. */
export function checkGraph(graph: DynamoGraph): string[] {
  return graphFindings(graph)
    .filter((f) => f.severity === 'error')
    .map((f) => `${f.id} ${f.path}: ${f.message}`);
}
