import { ApiObject, App } from 'cdk8s';
import { admit, checkDecoding } from '../admission/index.ts';
import { formatPath, isObject, normalizeResource, type Issue, type JsonObject } from '../api/index.ts';
import { lintResource, surround, type Finding } from '../lint/index.ts';
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
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const { value, issues, warnings } = normalizeResource({ ...object, metadata: { namespace: 'default', ...metadata } });
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

/** Whether a finding is about something the author has said and a manifest cannot say: a public model, a frontend in another graph. */
function isIntended(graph: DynamoGraph, { id, path }: Finding): boolean {
  if (id === 'DYN-ROLE-006') return !graph.needsFrontend && path.length === 2;
  return (
    id === 'DYN-REF-001' && graph.components.some((c) => c instanceof Worker && c.name === path[2] && c.model.token === false)
  );
}

/** What lint says, knowing everything that is written together with the graph. */
function lint(graph: DynamoGraph, object: JsonObject): readonly GraphFinding[] {
  const { platform } = graph;
  const around = surround({
    resources: [object, ...objectsBeside(graph)],
    release: platform.release,
    gpusPerNode: platform.gpusPerNode,
    suppressions: [...graph.suppressed].map(([id, reason]) => ({ id, reason })),
    ...(platform.gpuBudget === undefined ? {} : { gpuBudget: platform.gpuBudget }),
  });
  const found = lintResource(object, around).findings.filter((f) => !isIntended(graph, f));
  return found.map(({ id, severity, path, message }) => ({ id, severity, path: formatPath(path), message }));
}

/** Everything that can be said against a graph, silenced findings left out. */
export function graphFindings(graph: DynamoGraph): readonly GraphFinding[] {
  const object = graph.toJson() as JsonObject;
  const refused = refusals(object);
  // What the API server refuses need not be linted; rules may rely on the schema.
  if (refused.some((f) => f.severity === 'error')) return refused;
  const own = sizing(graph).filter((f) => !graph.suppressed.has(f.id));
  return [...refused, ...lint(graph, object), ...own];
}

const printed = new WeakMap<App, Set<string>>();

/** Prints a warning once for each app, however often cdk8s asks. */
function print(graph: DynamoGraph, line: string): void {
  const app = App.of(graph);
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

/** Objects written together with a graph, itself left out. */
function objectsBeside(graph: DynamoGraph): readonly JsonObject[] {
  return App.of(graph)
    .node.findAll()
    .filter((c) => ApiObject.isApiObject(c) && c.node.scope !== graph)
    .map((o) => (o as ApiObject).toJson() as JsonObject);
}
