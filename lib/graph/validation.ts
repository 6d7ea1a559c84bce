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
  /** Stable id of the rule. */
  readonly id: string;
  readonly severity: 'error' | 'warning';
  /** Field path in the object, such as `spec.services.decode.replicas`. */
  readonly path: string;
  readonly message: string;
}

/** An object to check, and what its properties declare that is not in the manifest. */
interface Checked {
  readonly object: ApiObject;
  readonly platform: Platform;
  /** Findings suppressed by id, with reasons. */
  readonly suppressed: ReadonlyMap<string, string>;
  /** Whether to drop a finding, because the author intended what it is about. */
  readonly intended?: (finding: Finding) => boolean;
  /** Whether to report an error as a warning, because the author chose what it is about. */
  readonly downgraded?: (finding: Finding) => boolean;
  /** Findings that only the constructs can detect. */
  readonly authored?: () => readonly GraphFinding[];
}

/** All findings about an object that are not suppressed. */
export function findingsOf(checked: Checked): readonly GraphFinding[] {
  const snapshot = snapshotFor(checked.object);
  return snapshot.once(checked.object, () => find(checked, snapshot));
}

function find(
  { object, platform, suppressed, intended, downgraded, authored }: Checked,
  snapshot: AppSnapshot,
): readonly GraphFinding[] {
  const suppressions = [...suppressed].map(([id, reason]) => ({ id, reason }));
  const rendered = snapshot.rendered(object, suppressions);
  if (rendered === undefined) return [];
  const { release, gpusPerNode, gpuBudget } = platform;
  const known = { release, gpusPerNode, suppressions, ...(gpuBudget === undefined ? {} : { gpuBudget }) };
  const findings = lintDocument(rendered, snapshot.index, known)
    .findings.filter((finding) => !isAdvice(finding) || intended?.(finding) !== true)
    .map((finding) => {
      const { id, path, message } = finding;
      const severity = isAdvice(finding) && downgraded?.(finding) === true ? 'warning' : finding.severity;
      return { id, severity, path: formatPath(path), message };
    });
  const own = (authored?.() ?? []).filter((f) => !suppressed.has(f.id));
  // Of two findings of one rule at one path, that of the constructs is closer to what the author wrote.
  return [...findings.filter((f) => !own.some((o) => o.id === f.id && o.path === f.path)), ...own];
}

function isAdvice({ stage }: DocumentFinding): boolean {
  return stage === 'lint' || stage === 'quirk';
}

const printed = new WeakMap<App, Set<string>>();

/** Prints a finding once per app; cdk8s validates an app several times. */
function print(construct: Construct, severity: GraphFinding['severity'], line: string): void {
  const app = App.of(construct);
  const lines = printed.get(app) ?? new Set();
  printed.set(app, lines);
  const printedLine = `${severity}: [${construct.node.path}] ${line}\n`;
  if (!lines.has(printedLine)) process.stderr.write(printedLine);
  lines.add(printedLine);
}

/** Makes cdk8s check an object at every synth, with the chart's `errors` and `warnings`; findings name the line of user code that they are about. */
export function addChecks(
  construct: Construct,
  check: () => readonly GraphFinding[],
  lineOf: (path: string) => UserLine | undefined = () => undefined,
): void {
  const created = new UserLine();
  const validate = (): string[] => {
    const { warnings = 'print', errors = 'fail' } = dynamoChartOf(construct) ?? {};
    const lines: string[] = [];
    for (const { id, severity, path, message } of check()) {
      const { location } = lineOf(path) ?? created;
      const line = `${location === undefined ? '' : `${location}: `}${id} ${path}: ${message}`;
      if (severity === 'error' ? errors === 'fail' : warnings === 'fail') lines.push(line);
      else if (severity === 'error' || warnings === 'print') print(construct, severity, line);
    }
    return lines;
  };
  construct.node.addValidation({ validate });
}
