import { findString, type JsonObject } from '../json/index.ts';
import { quote, wordDraft, type Draft, type Finding } from './finding.ts';
import type { RuleDescription, Suppression } from './rule.ts';

/** The annotation that accepts findings: `DYN-GPU-001=two ranks per GPU; DYN-MEM-002=small model`. */
export const suppressAnnotation = 'dynamo-cdk8s/suppress';

const path = ['metadata', 'annotations', suppressAnnotation];

/** What the suppressions themselves can get wrong. */
export const suppressionRules: readonly RuleDescription[] = [
  {
    id: 'DYN-SUP-001',
    severity: 'warning',
    title: 'suppression of a rule that does not exist',
    why: 'A misspelt id suppresses nothing, and the reader believes it does.',
    allowed: 'Ids that `dynamo-cdk8s lint --rules` lists.',
    fix: 'Correct the id or remove the entry.',
  },
  {
    id: 'DYN-SUP-002',
    severity: 'warning',
    title: 'suppression without a reason',
    why: 'The next person cannot tell whether it still holds. It has no effect.',
    allowed: 'ID=reason, entries separated by semicolons.',
    fix: 'Write why the finding is accepted.',
  },
  {
    id: 'DYN-SUP-003',
    severity: 'warning',
    title: 'suppression that suppresses nothing',
    why: 'It hides the next real finding of that rule.',
    allowed: 'Entries whose rule reports something.',
    fix: 'Remove the entry.',
  },
];

/** The outcome of reading an annotation: what is suppressed, and what is wrong with the rest. */
interface Parsed {
  readonly suppressions: readonly Suppression[];
  readonly problems: readonly (Draft & { readonly id: string })[];
}

function parseAnnotation(text: string, known: (id: string) => boolean): Parsed {
  const suppressions: Suppression[] = [];
  const problems: (Draft & { readonly id: string })[] = [];
  for (const part of text.split(/;\s*(?=[A-Za-z]+-[A-Za-z]+-\d)|;\s*$/).map((p) => p.trim())) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const id = (equals < 0 ? part : part.slice(0, equals)).trim();
    const reason = equals < 0 ? '' : part.slice(equals + 1).trim();
    if (!known(id))
      problems.push({
        id: 'DYN-SUP-001',
        path,
        problem: 'there is no rule of this id',
        found: quote(id),
        change: 'correct it, `dynamo-cdk8s lint --rules` lists them',
      });
    else if (reason === '')
      problems.push({
        id: 'DYN-SUP-002',
        path,
        problem: `suppression of ${id} has no reason and no effect`,
        change: `write ${id}=why`,
      });
    else suppressions.push({ id, reason });
  }
  return { suppressions, problems };
}

/** Ids that the resource's annotation or the code suppresses with a reason. */
export function suppressedIds(resource: JsonObject, inCode: readonly Suppression[]): ReadonlySet<string> {
  const written = parseAnnotation(findString(resource, 'metadata', 'annotations', suppressAnnotation) ?? '', () => true);
  return new Set([...written.suppressions, ...inCode.filter(({ reason }) => reason.trim() !== '')].map(({ id }) => id));
}

/** Findings left after suppression, with those about the suppressions themselves, and what was suppressed. */
export interface Suppressed {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly (Finding & { readonly reason: string })[];
}

/** Takes away what the resource's annotation or the code suppresses. `decided` says whether a rule had all it needs to find something. */
export function suppress(
  findings: readonly Finding[],
  resource: JsonObject,
  inCode: readonly Suppression[],
  known: (id: string) => boolean,
  decided: (id: string) => boolean,
): Suppressed {
  const written = parseAnnotation(findString(resource, 'metadata', 'annotations', suppressAnnotation) ?? '', known);
  const code = parseAnnotation(inCode.map((s) => `${s.id}=${s.reason}`).join('; '), known);
  const reasons = new Map([...written.suppressions, ...code.suppressions].map((s) => [s.id, s.reason]));
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
  const unused = [...reasons.keys()].filter((id) => !used.has(id) && decided(id));
  const drafts = [
    ...written.problems,
    ...code.problems,
    ...unused.map((id) => ({ id: 'DYN-SUP-003', path, problem: `suppression of ${id} suppresses nothing`, change: 'remove it' })),
  ];
  return {
    findings: [...kept, ...drafts.map((d) => ({ id: d.id, severity: 'warning' as const, path: d.path, message: wordDraft(d) }))],
    suppressed,
  };
}
