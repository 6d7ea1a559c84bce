import { kindOf, servedKind } from '../api/index.ts';
import type { JsonObject, Path } from '../json/index.ts';
import { wordDraft, type Draft, type Finding } from './finding.ts';
import { componentKinds, type GraphView } from './graph-view.ts';
import { quirkFindings } from './quirks.ts';
import { plainFinding, type PredictedRejection } from './rejections/findings.ts';
import { findRule, rules } from './registry.ts';
import type { LintContext, Rule } from './rule.ts';
import { suppress, suppressedIds, type Suppressed } from './suppression.ts';
import { buildLintIndex, type LintIndex } from './lint-index.ts';

function* drafts(rule: Rule, resource: JsonObject, graph: GraphView | undefined, around: LintIndex): Iterable<Draft> {
  const kind = kindOf(resource);
  if (rule.also?.kinds.includes(kind)) yield* rule.also.check(resource, around);
  if (rule.on === 'object') {
    if (rule.kinds.includes(kind)) yield* rule.check(resource, around);
  } else if (graph !== undefined) {
    if (rule.on === 'graph') yield* rule.check(graph, around);
    else for (const component of graph.components) yield* rule.check(component, graph, around);
  }
}

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((part, i) => path[i] === part);
}

function coversFinding(other: Finding, finding: Finding): boolean {
  const covers = findRule(other.id)?.covers?.includes(finding.id) === true;
  // The name of an object is part of all names below it.
  const whole = other.path.length === 2 && other.path[0] === 'metadata' && other.path[1] === 'name';
  return covers && (whole || startsWith(finding.path, other.path) || startsWith(other.path, finding.path));
}

/** The findings after duplicates are dropped, and the duplicates. */
interface UniqueFindings {
  readonly findings: readonly Finding[];
  readonly covered: readonly { readonly finding: Finding; readonly by: readonly string[] }[];
}

/** Drops a finding at a place where another finding covers it; the other one then names the rejected objects. */
function dropCovered(findings: readonly PredictedRejection[]): UniqueFindings {
  const covered = findings.flatMap((finding) => {
    const by = findings.filter((other) => coversFinding(other, finding));
    return by.length === 0 ? [] : [{ finding, by }];
  });
  const out = new Set<Finding>(covered.map(({ finding }) => finding));
  const kept = findings
    .filter((finding) => !out.has(finding))
    .map((finding) => {
      const consequences = covered.flatMap(({ finding: { consequence }, by }) =>
        consequence !== undefined && by.some((b) => b.id === finding.id && b.path === finding.path) ? [consequence] : [],
      );
      // What the API server rejects is an error, however light the rule that says so.
      return consequences.length === 0
        ? plainFinding(finding)
        : { ...plainFinding(finding), severity: 'error' as const, message: `${finding.message}; ${consequences.join('; ')}` };
    });
  return {
    findings: kept,
    covered: covered.map(({ finding, by }) => ({ finding: plainFinding(finding), by: by.map((b) => b.id) })),
  };
}

/** Lints one resource, with the index of everything linted together; returns what was suppressed too. */
export function lintResource(resource: JsonObject, around: LintIndex): Suppressed {
  const graph =
    servedKind(resource) !== undefined && componentKinds.includes(kindOf(resource)) ? around.graphOf(resource) : undefined;
  const found: PredictedRejection[] = [];
  for (const rule of rules)
    for (const draft of drafts(rule, resource, graph, around))
      found.push({
        id: rule.id,
        severity: draft.severity ?? rule.severity,
        path: draft.path,
        message: wordDraft(draft),
        ...(draft.fix ? { fix: draft.fix } : {}),
      });
  const { rendering, suppressions } = around.context;
  const accepted = suppressedIds(resource, suppressions ?? []);
  const rejections = rendering?.rejections ?? [];
  found.push(...rejections.filter(({ id }) => !accepted.has(id)), ...quirkFindings(rendering?.quirks ?? []));
  const told = dropCovered(found);
  const decided = (id: string): boolean =>
    findRule(id)?.contextual !== true && (rendering !== undefined || !/^DYN-(?:API|QUIRK)-/.test(id));
  const acceptedRejections = rejections.filter(({ id }) => accepted.has(id)).map(plainFinding);
  const result = suppress(
    [...told.findings, ...acceptedRejections],
    resource,
    suppressions ?? [],
    (id) => findRule(id) !== undefined,
    decided,
  );
  // what the API server refuses stays refused, whatever is suppressed about its cause
  const hidden = new Set(result.suppressed.map(({ id }) => id));
  const refused = told.covered.filter(({ finding, by }) => finding.id.startsWith('DYN-API-') && by.every((id) => hidden.has(id)));
  return { ...result, findings: [...result.findings, ...refused.map(({ finding }) => finding)] };
}

/** Everything lint finds in a resource of any kind, most of all in graphs. Pure: what it may know besides comes in through the context. */
export function lintGraph(resource: JsonObject, context: LintContext = {}): readonly Finding[] {
  const resources = context.resources?.includes(resource) === true ? context.resources : [...(context.resources ?? []), resource];
  return lintResource(resource, buildLintIndex({ ...context, resources })).findings;
}
