import { ApiObject, App } from 'cdk8s';
import { admit, checkDecoding } from '../admission/index.ts';
import { formatPath, isObject, normalizeResource, type Issue, type JsonObject } from '../api/index.ts';
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

const finding =
  (severity: GraphFinding['severity']) =>
  (issue: Issue): GraphFinding => ({ id: issue.code, severity, path: formatPath(issue.path), message: issue.message });

/** What the API server and the operator's webhook would say. */
function refusals(object: JsonObject): readonly GraphFinding[] {
  const { value, issues, warnings } = normalizeResource(object);
  const schema = [...issues.map(finding('error')), ...warnings.map(finding('warning'))];
  if (issues.length > 0 || !isObject(value)) return schema;
  const unreadable = checkDecoding(value);
  if (unreadable.length > 0) return [...schema, ...unreadable.map(finding('error'))];
  const verdict = admit({ operation: 'CREATE', object: value }, { thorough: true });
  return [...schema, ...verdict.issues.map(finding('error')), ...verdict.warnings.map(finding('warning'))];
}

/** What only the authoring layer knows: which parallelism a component's GPUs and nodes were meant for. */
function sizing(graph: DynamoGraph): readonly GraphFinding[] {
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
  const object = graph.toJson() as JsonObject;
  return [...refusals(object), ...sizing(graph)].filter((f) => !graph.suppressed.has(f.id));
}

const printed = new WeakMap<App, Set<string>>();

/** Prints a warning once for each app, however often cdk8s asks. */
function print(graph: DynamoGraph, line: string): void {
  const app = App.of(graph) as App;
  const lines = printed.get(app) ?? new Set();
  printed.set(app, lines);
  if (lines.has(line)) return;
  lines.add(line);
  process.stderr.write(`warning: [${graph.node.path}] ${line}\n`);
}

/** What cdk8s reports at synth: the errors, and the warnings if the chart says so. */
export function checkGraph(graph: DynamoGraph): string[] {
  const warnings = graph.dynamoChart?.warnings ?? 'print';
  const lines: string[] = [];
  for (const { id, severity, path, message } of graphFindings(graph)) {
    const line = `${id} ${path}: ${message}`;
    if (severity === 'error' || warnings === 'fail') lines.push(line);
    else if (warnings === 'print') print(graph, line);
  }
  return lines;
}

/** Objects written together with a graph. */
export function objectsAround(graph: DynamoGraph): readonly JsonObject[] {
  return App.of(graph)
    .node.findAll()
    .filter((c) => ApiObject.isApiObject(c))
    .map((o) => o.toJson() as JsonObject);
}
