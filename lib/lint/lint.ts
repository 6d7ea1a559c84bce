import { kindOf } from './read.ts';
import type { JsonObject } from '../api/json.ts';
import type { Path } from '../api/path.ts';
import { wordDraft, type Draft, type Finding } from './finding.ts';
import { componentKinds, isDynamo, type GraphView } from './graph-view.ts';
import { quirkFindings } from './quirks.ts';
import { refusalFindings } from './refusals/findings.ts';
import { findRule, rules } from './registry.ts';
import type { LintContext, Rule } from './rule.ts';
import { suppress, type Suppressed } from './suppression.ts';
import { surround, type Surroundings } from './surroundings.ts';

function* drafts(rule: Rule, resource: JsonObject, graph: GraphView | undefined, around: Surroundings): Iterable<Draft> {
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

/** Leaves out what an entry says about a place where another that covers it has spoken. */
function withoutCovered(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    (finding) =>
      !findings.some(
        (other) =>
          findRule(other.id)?.covers?.includes(finding.id) === true &&
          (startsWith(finding.path, other.path) || startsWith(other.path, finding.path)),
      ),
  );
}

/** Lints one resource among its surroundings; tells what was suppressed too. */
export function lintResource(resource: JsonObject, around: Surroundings): Suppressed {
  const graph = isDynamo(resource) && componentKinds.includes(kindOf(resource)) ? around.graphOf(resource) : undefined;
  const found: Finding[] = [];
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
  if (rendering) found.push(...refusalFindings(rendering.objects), ...quirkFindings(rendering.quirks));
  const decided = (id: string): boolean =>
    findRule(id)?.contextual !== true && (rendering !== undefined || !/^DYN-(?:API|QUIRK)-/.test(id));
  return suppress(withoutCovered(found), resource, suppressions ?? [], (id) => findRule(id) !== undefined, decided);
}

/** Everything lint finds in a resource of any kind, most of all in graphs. Pure: what it may know besides comes in through the context. */
export function lintGraph(resource: JsonObject, context: LintContext = {}): readonly Finding[] {
  const resources = context.resources?.includes(resource) === true ? context.resources : [...(context.resources ?? []), resource];
  return lintResource(resource, surround({ ...context, resources })).findings;
}
