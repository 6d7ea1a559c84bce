import { App, type ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { admit, checkDecoding } from '../admission/index.ts';
import { formatPath, isObject, normalizeResource, type Issue, type JsonObject } from '../api/index.ts';
import { lintResource, type Finding } from '../lint/index.ts';
import { dynamoChartOf } from './chart.ts';
import type { Platform } from './platform.ts';
import { snapshotFor, type AppSnapshot } from './app-snapshot.ts';
import { UserLine } from './user-line.ts';

/** One thing said against an object. */
export interface GraphFinding {
  /** Stable name of the rule. */
  readonly id: string;
  readonly severity: 'error' | 'warning';
  /** Where in the object, as `spec.services.decode.replicas`. */
  readonly path: string;
  readonly message: string;
}

/** What is checked: an object and what its author said about it that the object cannot say. */
export interface Checked {
  readonly object: ApiObject;
  readonly platform: Platform;
  /** Findings silenced by id, with reasons. */
  readonly suppressed: ReadonlyMap<string, string>;
  /** Whether a finding is about something the author meant. */
  readonly intended?: (finding: Finding) => boolean;
  /** What only the authoring layer knows. */
  readonly own?: () => readonly GraphFinding[];
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

/** Everything that can be said against an object, silenced findings left out. */
export function findingsOf(checked: Checked): readonly GraphFinding[] {
  const snapshot = snapshotFor(checked.object);
  return snapshot.once(checked.object, () => find(checked, snapshot));
}

function find({ object, platform, suppressed, intended, own }: Checked, snapshot: AppSnapshot): readonly GraphFinding[] {
  const json = snapshot.json(object);
  const refused = refusals(json);
  // What the API server refuses need not be linted; rules may rely on the schema.
  if (refused.some((f) => f.severity === 'error')) return refused;
  const context = {
    ...snapshot.around.context,
    release: platform.release,
    gpusPerNode: platform.gpusPerNode,
    suppressions: [...suppressed].map(([id, reason]) => ({ id, reason })),
    ...(platform.gpuBudget === undefined ? {} : { gpuBudget: platform.gpuBudget }),
  };
  const found = lintResource(json, { ...snapshot.around, context }).findings.filter((f) => intended?.(f) !== true);
  return [
    ...refused,
    ...found.map(({ id, severity, path, message }) => ({ id, severity, path: formatPath(path), message })),
    ...(own?.() ?? []).filter((f) => !suppressed.has(f.id)),
  ];
}

const printed = new WeakMap<App, Set<string>>();

/** Prints a warning once for each app, however often cdk8s asks. */
function print(construct: Construct, line: string): void {
  const app = App.of(construct);
  const lines = printed.get(app) ?? new Set();
  printed.set(app, lines);
  const text = `warning: [${construct.node.path}] ${line}\n`;
  if (!lines.has(text)) process.stderr.write(text);
  lines.add(text);
}

/** Has cdk8s check an object at every synth: errors fail it, warnings do what the chart says; each names the line that made what it is about. */
export function addChecks(
  construct: Construct,
  check: () => readonly GraphFinding[],
  lineOf: (path: string) => UserLine | undefined = () => undefined,
): void {
  const made = new UserLine();
  const validate = (): string[] => {
    const warnings = dynamoChartOf(construct)?.warnings ?? 'print';
    const lines: string[] = [];
    for (const { id, severity, path, message } of check()) {
      const { place } = lineOf(path) ?? made;
      const line = `${place === undefined ? '' : `${place}: `}${id} ${path}: ${message}`;
      if (severity === 'error' || warnings === 'fail') lines.push(line);
      else if (warnings === 'print') print(construct, line);
    }
    return lines;
  };
  construct.node.addValidation({ validate });
}
