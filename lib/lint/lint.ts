import { kindOf, servedKind } from '../api/index.ts';
import { append, isWithin, type JsonObject } from '../json/index.ts';
import { draftMessage, type Draft, type Finding } from './finding.ts';
import { componentKinds, type GraphView } from './graph-view.ts';
import { quirkFindings } from './quirks.ts';
import { plainFinding, type PredictedRejection } from './rejections/findings.ts';
import { findRule, rules } from './registry.ts';
import type { LintContext, Rule } from './rule.ts';
import { suppress, suppressedIds, type Suppressed } from './suppression.ts';
import { buildLintIndex, type LintIndex } from './lint-index.ts';

function* drafts(rule: Rule, resource: JsonObject, graph: GraphView | undefined, lintIndex: LintIndex): Iterable<Draft> {
  const kind = kindOf(resource);
  if (rule.also?.kinds.includes(kind)) yield* rule.also.check(resource, lintIndex);
  if (rule.on === 'object') {
    if (rule.kinds.includes(kind)) yield* rule.check(resource, lintIndex);
  } else if (graph !== undefined) {
    if (rule.on === 'graph') yield* rule.check(graph, lintIndex);
    else for (const component of graph.components) yield* rule.check(component, graph, lintIndex);
  }
}

/** Whether one finding covers another, given that its rule covers the rule of the other. */
function coversFinding(other: Finding, finding: Finding): boolean {
  // The name of the resource is part of the names of all objects rendered from it, so a finding about it covers any path.
  const isName = other.path.length === 2 && other.path[0] === 'metadata' && other.path[1] === 'name';
  return isName || isWithin(finding.path, other.path) || isWithin(other.path, finding.path);
}

/** Findings without duplicates, and the findings they cover. */
interface UniqueFindings {
  readonly findings: readonly Finding[];
  readonly covered: readonly { readonly finding: Finding; readonly by: readonly string[] }[];
}

/** The findings of rules that cover others, by the id that they cover. */
function coveringFindings(findings: readonly PredictedRejection[]): ReadonlyMap<string, readonly PredictedRejection[]> {
  const covering = new Map<string, PredictedRejection[]>();
  for (const finding of findings)
    for (const id of findRule(finding.id)?.covers ?? []) {
      const list = covering.get(id);
      if (list) list.push(finding);
      else covering.set(id, [finding]);
    }
  return covering;
}

/** Drops findings covered by another at the same, an outer or an inner path; the message of the finding kept then names the rejected objects. */
function dropCovered(findings: readonly PredictedRejection[]): UniqueFindings {
  const covering = coveringFindings(findings);
  const covered = findings.flatMap((finding) => {
    const by = (covering.get(finding.id) ?? []).filter((other) => coversFinding(other, finding));
    return by.length === 0 ? [] : [{ finding, by }];
  });
  const consequencesOf = new Map<Finding, string[]>();
  for (const { finding, by } of covered) {
    if (finding.consequence === undefined) continue;
    for (const other of by) {
      const list = consequencesOf.get(other);
      if (list) list.push(finding.consequence);
      else consequencesOf.set(other, [finding.consequence]);
    }
  }
  const dropped = new Set<Finding>(covered.map(({ finding }) => finding));
  const kept = findings
    .filter((finding) => !dropped.has(finding))
    .map((finding) => {
      const consequences = consequencesOf.get(finding) ?? [];
      // A rejection by the API server is an error, even when the rule that covers it is a warning.
      return consequences.length === 0
        ? plainFinding(finding)
        : { ...plainFinding(finding), severity: 'error' as const, message: `${finding.message}; ${consequences.join('; ')}` };
    });
  return {
    findings: kept,
    covered: covered.map(({ finding, by }) => ({ finding: plainFinding(finding), by: by.map((b) => b.id) })),
  };
}

/** Lints one resource with the index of all resources of the run. Returns suppressed findings separately. */
export function lintResource(resource: JsonObject, lintIndex: LintIndex): Suppressed {
  const graph =
    servedKind(resource) !== undefined && componentKinds.includes(kindOf(resource)) ? lintIndex.graphOf(resource) : undefined;
  const found: PredictedRejection[] = [];
  for (const rule of rules)
    for (const draft of drafts(rule, resource, graph, lintIndex))
      found.push({
        id: rule.id,
        severity: draft.severity ?? rule.severity,
        path: draft.path,
        message: draftMessage(draft),
        ...(draft.fix ? { fix: draft.fix } : {}),
      });
  const { rendering, suppressions } = lintIndex.context;
  const accepted = suppressedIds(resource, suppressions ?? []);
  const rejections = rendering?.rejections ?? [];
  append(
    found,
    rejections.filter(({ id }) => !accepted.has(id)),
  );
  append(found, quirkFindings(rendering?.quirks ?? []));
  const unique = dropCovered(found);
  const isDecided = (id: string): boolean =>
    findRule(id)?.contextual !== true && (rendering !== undefined || !/^DYN-(?:API|QUIRK)-/.test(id));
  const acceptedRejections = rejections.filter(({ id }) => accepted.has(id)).map(plainFinding);
  const result = suppress(
    [...unique.findings, ...acceptedRejections],
    resource,
    suppressions ?? [],
    (id) => findRule(id) !== undefined,
    isDecided,
  );
  // Suppressing the cause of a rejection does not suppress the rejection.
  const suppressedRules = new Set(result.suppressed.map(({ id }) => id));
  const rejected = unique.covered.filter(
    ({ finding, by }) => finding.id.startsWith('DYN-API-') && by.every((id) => suppressedRules.has(id)),
  );
  return { ...result, findings: [...result.findings, ...rejected.map(({ finding }) => finding)] };
}

/** Lints a resource of any kind. Pure: everything besides the resource comes from the context. */
export function lintGraph(resource: JsonObject, context: LintContext = {}): readonly Finding[] {
  const resources = context.resources?.includes(resource) === true ? context.resources : [...(context.resources ?? []), resource];
  return lintResource(resource, buildLintIndex({ ...context, resources })).findings;
}
