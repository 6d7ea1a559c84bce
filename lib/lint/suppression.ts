import { findString, type JsonObject } from '../json/index.ts';
import { quote, draftMessage, type Draft, type Finding } from './finding.ts';
import type { RuleDescription, Suppression } from './rule.ts';

/** The annotation that suppresses findings, such as `DYN-GPU-001=two ranks per GPU; DYN-MEM-002=small model`. */
export const suppressAnnotation = 'dynamo-cdk8s/suppress';

const path = ['metadata', 'annotations', suppressAnnotation];

/** Problems of the suppressions themselves. */
export const suppressionRules: readonly RuleDescription[] = [
  {
    id: 'DYN-SUP-001',
    severity: 'warning',
    title: 'suppression of a rule that does not exist',
    why: 'A misspelt id suppresses nothing, although it appears to.',
    allowed: 'The ids that `dynamo-cdk8s lint --rules` lists.',
    fix: 'Correct the id or remove the entry.',
  },
  {
    id: 'DYN-SUP-002',
    severity: 'warning',
    title: 'suppression without a reason',
    why: 'A suppression without a reason has no effect: nobody could tell later whether it is still needed.',
    allowed: 'Entries of the form ID=reason, separated by semicolons.',
    fix: 'Add the reason after the id: ID=reason.',
  },
  {
    id: 'DYN-SUP-003',
    severity: 'warning',
    title: 'suppression without a finding',
    why: 'The rule reports nothing now, so the entry is not needed. If it stays, it hides the next finding of that rule.',
    allowed: 'Suppressions of rules that report the resource.',
    fix: 'Remove the entry.',
  },
];

/** A parsed annotation: its suppressions, and the problems of its other entries. */
interface ParsedAnnotation {
  readonly suppressions: readonly Suppression[];
  readonly problems: readonly (Draft & { readonly id: string })[];
}

function parseAnnotation(annotation: string, known: (id: string) => boolean): ParsedAnnotation {
  const suppressions: Suppression[] = [];
  const problems: (Draft & { readonly id: string })[] = [];
  for (const entry of annotation.split(/;\s*(?=[A-Za-z]+-[A-Za-z]+-\d)|;\s*$/).map((p) => p.trim())) {
    if (entry === '') continue;
    const equals = entry.indexOf('=');
    const id = (equals < 0 ? entry : entry.slice(0, equals)).trim();
    const reason = equals < 0 ? '' : entry.slice(equals + 1).trim();
    if (!known(id))
      problems.push({
        id: 'DYN-SUP-001',
        path,
        problem: 'no rule has this id',
        found: quote(id),
        change: 'correct the id; `dynamo-cdk8s lint --rules` lists all of them',
      });
    else if (reason === '')
      problems.push({
        id: 'DYN-SUP-002',
        path,
        problem: `suppression of ${id} has no reason and therefore no effect`,
        change: `write ${id}=REASON`,
      });
    else suppressions.push({ id, reason });
  }
  return { suppressions, problems };
}

/** The ids that the annotation of a resource or the code suppresses with a reason. */
export function suppressedIds(resource: JsonObject, inCode: readonly Suppression[]): ReadonlySet<string> {
  const annotated = parseAnnotation(findString(resource, 'metadata', 'annotations', suppressAnnotation) ?? '', () => true);
  return new Set([...annotated.suppressions, ...inCode.filter(({ reason }) => reason.trim() !== '')].map(({ id }) => id));
}

/** The findings that are not suppressed, including those about the suppressions themselves, and the suppressed ones. */
export interface Suppressed {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly (Finding & { readonly reason: string })[];
}

/** Removes the findings that the annotation of a resource or the code suppresses. `isDecided` says whether a rule had the context it needs. */
export function suppress(
  findings: readonly Finding[],
  resource: JsonObject,
  inCode: readonly Suppression[],
  known: (id: string) => boolean,
  isDecided: (id: string) => boolean,
): Suppressed {
  const annotated = parseAnnotation(findString(resource, 'metadata', 'annotations', suppressAnnotation) ?? '', known);
  const code = parseAnnotation(inCode.map((s) => `${s.id}=${s.reason}`).join('; '), known);
  const reasons = new Map([...annotated.suppressions, ...code.suppressions].map((s) => [s.id, s.reason]));
  const used = new Set<string>();
  const kept: Finding[] = [];
  const suppressed: (Finding & { readonly reason: string })[] = [];
  for (const finding of findings) {
    const reason = reasons.get(finding.id);
    if (reason === undefined) kept.push(finding);
    else {
      used.add(finding.id);
      suppressed.push({ ...finding, reason });
    }
  }
  const unused = [...reasons.keys()].filter((id) => !used.has(id) && isDecided(id));
  const drafts = [
    ...annotated.problems,
    ...code.problems,
    ...unused.map((id) => ({
      id: 'DYN-SUP-003',
      path,
      problem: `suppression of ${id} has no finding to suppress`,
      change: 'remove it',
    })),
  ];
  return {
    findings: [
      ...kept,
      ...drafts.map((d) => ({ id: d.id, severity: 'warning' as const, path: d.path, message: draftMessage(d) })),
    ],
    suppressed,
  };
}
