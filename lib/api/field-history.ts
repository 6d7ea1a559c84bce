import type { Path } from '../json/index.ts';
import { fieldSpans } from './release-fields.ts';
import { presenceIn, spansByName, type Span } from './release-span.ts';
import { ownRelease } from './releases.ts';

const spans = new Map(Object.entries(fieldSpans).map(([kind, table]) => [kind, spansByName(table)]));

/** What took the place of fields that are gone, by the last part of their path. */
const successors: Readonly<Record<string, string>> = {
  pvc: 'declare the claim in spec.pvcs and mount it by volumeMounts',
  dynamoGraph: 'list the components in spec.services',
};

function spanOf(kind: string, path: Path): Span | undefined {
  const [first, ...rest] = path;
  const known = spans.get(kind);
  if (first !== 'spec' || known === undefined) return undefined;
  const below = rest.map((part, index) => (index === 1 && rest[0] === 'services' ? '*' : String(part))).join('.');
  return known.get(below);
}

/** Why a field that the schema does not know may stand in a manifest: another release has it; undefined when none is known to. */
export function fieldHistory(kind: string, path: Path): string | undefined {
  const span = spanOf(kind, path);
  const presence = span && presenceIn(span, ownRelease);
  if (presence === undefined || presence.is === 'there') return undefined;
  if (presence.is === 'later') return `came with ${presence.came}, release ${ownRelease} drops it`;
  const last = String(path.at(-1));
  const instead = Object.hasOwn(successors, last) ? successors[last] : undefined;
  return `gone since ${presence.gone}${instead === undefined ? '' : `; ${instead}`}`;
}
