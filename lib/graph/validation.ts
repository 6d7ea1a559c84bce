import { App, type ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { lintDocument, type DocumentFinding } from '../check/index.ts';
import { formatPath } from '../json/index.ts';
import type { Finding } from '../lint/index.ts';
import { dynamoChartOf } from './chart.ts';
import type { Platform } from './platform.ts';
import { snapshotFor, type AppSnapshot } from './app-snapshot.ts';
import { UserLine } from './user-line.ts';

/** One finding about an object. */
export interface GraphFinding {
  /** Stable name of the rule. */
  readonly id: string;
  readonly severity: 'error' | 'warning';
  /** Where in the object, as `spec.services.decode.replicas`. */
  readonly path: string;
  readonly message: string;
}

/** What is checked: an object, and what its author said about it that is not in the manifest. */
interface Checked {
  readonly object: ApiObject;
  readonly platform: Platform;
  /** Findings suppressed by id, with reasons. */
  readonly suppressed: ReadonlyMap<string, string>;
  /** Whether a finding is about something the author meant. */
  readonly intended?: (finding: Finding) => boolean;
  /** Whether an error is about something the author has decided, and is only worth a warning. */
  readonly decided?: (finding: Finding) => boolean;
  /** What only the authoring layer knows. */
  readonly own?: () => readonly GraphFinding[];
}

/** Every finding about an object, suppressed ones left out. */
export function findingsOf(checked: Checked): readonly GraphFinding[] {
  const snapshot = snapshotFor(checked.object);
  return snapshot.once(checked.object, () => find(checked, snapshot));
}

function find({ object, platform, suppressed, intended, decided, own }: Checked, snapshot: AppSnapshot): readonly GraphFinding[] {
  const suppressions = [...suppressed].map(([id, reason]) => ({ id, reason }));
  const rendered = snapshot.rendered(object, suppressions);
  if (rendered === undefined) return [];
  const { release, gpusPerNode, gpuBudget } = platform;
  const known = { release, gpusPerNode, suppressions, ...(gpuBudget === undefined ? {} : { gpuBudget }) };
  const findings = lintDocument(rendered, snapshot.index, known)
    .findings.filter((finding) => !isAdvice(finding) || intended?.(finding) !== true)
    .map((finding) => {
      const { id, path, message } = finding;
      const severity = isAdvice(finding) && decided?.(finding) === true ? 'warning' : finding.severity;
      return { id, severity, path: formatPath(path), message };
    });
  const authored = (own?.() ?? []).filter((f) => !suppressed.has(f.id));
  // What the authoring layer says of a place is nearer to what the author wrote.
  return [...findings.filter((f) => !authored.some((a) => a.id === f.id && a.path === f.path)), ...authored];
}

function isAdvice({ stage }: DocumentFinding): boolean {
  return stage === 'lint' || stage === 'quirk';
}

const printed = new WeakMap<App, Set<string>>();

/** Prints a finding once for each app, however often cdk8s asks. */
function print(construct: Construct, severity: GraphFinding['severity'], line: string): void {
  const app = App.of(construct);
  const lines = printed.get(app) ?? new Set();
  printed.set(app, lines);
  const text = `${severity}: [${construct.node.path}] ${line}\n`;
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
    const { warnings = 'print', errors = 'fail' } = dynamoChartOf(construct) ?? {};
    const lines: string[] = [];
    for (const { id, severity, path, message } of check()) {
      const { place } = lineOf(path) ?? made;
      const line = `${place === undefined ? '' : `${place}: `}${id} ${path}: ${message}`;
      if (severity === 'error' ? errors === 'fail' : warnings === 'fail') lines.push(line);
      else if (severity === 'error' || warnings === 'print') print(construct, severity, line);
    }
    return lines;
  };
  construct.node.addValidation({ validate });
}
