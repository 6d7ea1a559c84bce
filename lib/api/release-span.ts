/** The releases that are known, in order; `0.9-main` is the state that this package renders, between 0.9.1 and 1.0.0. */
const releases = [
  '0.4.0',
  '0.4.1',
  '0.5.0',
  '0.5.1',
  '0.6.0',
  '0.6.1',
  '0.7.0',
  '0.7.1',
  '0.8.0',
  '0.8.1',
  '0.9.0',
  '0.9.1',
  '0.9-main',
  '1.0.0',
  '1.0.2',
  '1.1.1',
  '1.2.1',
  '1.3.1',
  '1.4.1',
] as const;

/** Names by the releases that have them: `since`, `since..until`, and after `!` the releases in between that lack them. */
export type SpanTable = Readonly<Record<string, string>>;

/** The releases that have a name: from the first to the last, without some in between. */
export interface Span {
  readonly since: number;
  readonly until: number;
  readonly gaps: readonly number[];
}

/** Whether a release has a name, and if not which one brought it or lacks it first. */
export type Presence =
  { readonly is: 'there' } | { readonly is: 'later'; readonly came: string } | { readonly is: 'earlier'; readonly gone: string };

/** How a release is called where authors read it. */
function show(index: number): string {
  // What came after the last 0.9 is first released in 1.0.0.
  const id = releases[index] ?? '';
  return id === '0.9-main' ? '1.0.0' : id;
}

const numbers = (release: string): readonly number[] => release.split('.').map((part) => Number.parseInt(part, 10) || 0);

/**
 * The place of a release in the order: of 0.9, whatever its patch, the state that is rendered; of one that is not listed the next patch of the same
 * minor release, since most of what a minor release has came with its first; otherwise the last before it.
 */
function releaseIndex(release: string): number {
  const [major = 0, minor = 0, patch = 0] = numbers(release);
  if (major === 0 && minor === 9) return releases.indexOf('0.9-main');
  const parsed = releases.map((id) => numbers(id));
  const same = parsed.findIndex(([a = 0, b = 0, c = 0]) => a === major && b === minor && c >= patch);
  if (same >= 0) return same;
  const after = parsed.findIndex(([a = 0, b = 0]) => a > major || (a === major && b > minor));
  return Math.max(0, (after < 0 ? releases.length : after) - 1);
}

function parseSpan(text: string): Span {
  const [range = '', gaps = ''] = text.split('!');
  const [since = '', until] = range.split('..');
  const index = (id: string): number => releases.findIndex((release) => release === id);
  return {
    since: index(since),
    until: until === undefined ? releases.length - 1 : index(until),
    gaps: gaps === '' ? [] : gaps.split(',').map(index),
  };
}

/** A table by name. */
export function spansByName(table: SpanTable): ReadonlyMap<string, Span> {
  return new Map(
    Object.entries(table).flatMap(([text, names]) => {
      const span = parseSpan(text);
      return names.split(/\s+/).map((name): [string, Span] => [name, span]);
    }),
  );
}

/** The place of the last published release up to one; -1 where the first is later. */
function publishedIndex(release: string): number {
  const [major = 0, minor = 0, patch = 0] = numbers(release);
  return releases.findLastIndex((id) => {
    const [a = 0, b = 0, c = 0] = numbers(id);
    return id !== '0.9-main' && (a - major || b - minor || c - patch) <= 0;
  });
}

/** The release itself where it is known, else the last known one before it; undefined where the first is later. */
export function knownRelease(release: string): string | undefined {
  return releases[publishedIndex(release)];
}

/**
 * Whether the images published as a release have a name. `presenceIn` takes 0.9.1 for the state after it that is rendered here; its image is older.
 */
export function publishedIn(span: Span, release: string): boolean {
  const last = publishedIndex(release);
  return last >= span.since && last <= span.until && !span.gaps.includes(last);
}

/** Whether a release has a name. */
export function presenceIn(span: Span, release: string): Presence {
  const target = releaseIndex(release);
  if (target < span.since) return { is: 'later', came: show(span.since) };
  if (target > span.until) return { is: 'earlier', gone: show(span.until + 1) };
  if (!span.gaps.includes(target)) return { is: 'there' };
  const back = releases.findIndex((_, index) => index > target && !span.gaps.includes(index));
  return { is: 'later', came: show(back) };
}
