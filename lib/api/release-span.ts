/** The known releases in order. `0.9-main` is the development state between 0.9.1 and 1.0.0 that this package renders. */
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

/** Names by the span of releases that have them: `since` or `since..until`, and after `!` the releases in between that lack them. */
export type SpanTable = Readonly<Record<string, string>>;

/** The releases that have a name: a range with gaps. */
export interface Span {
  readonly since: number;
  readonly until: number;
  readonly gaps: readonly number[];
}

/** Whether a release has a name, and if not, which release added or removed it. */
export type Presence =
  { readonly is: 'there' } | { readonly is: 'later'; readonly came: string } | { readonly is: 'earlier'; readonly gone: string };

/** The name of a release in messages. */
function releaseName(index: number): string {
  // Changes after the last 0.9 release are first published in 1.0.0.
  const id = releases[index] ?? '';
  return id === '0.9-main' ? '1.0.0' : id;
}

const versionNumbers = (release: string): readonly number[] => release.split('.').map((part) => Number.parseInt(part, 10) || 0);
const releaseNumbers = releases.map(versionNumbers);

/**
 * The index of a release. Every 0.9 release counts as `0.9-main`. A release that is not listed counts as the next patch of the same minor release,
 * since the first patch brings most changes; if there is none, as the last release before it.
 */
function releaseIndex(release: string): number {
  const [major = 0, minor = 0, patch = 0] = versionNumbers(release);
  if (major === 0 && minor === 9) return releases.indexOf('0.9-main');
  const same = releaseNumbers.findIndex(([a = 0, b = 0, c = 0]) => a === major && b === minor && c >= patch);
  if (same >= 0) return same;
  const after = releaseNumbers.findIndex(([a = 0, b = 0]) => a > major || (a === major && b > minor));
  return Math.max(0, (after < 0 ? releases.length : after) - 1);
}

function parseSpan(notation: string): Span {
  const [range = '', gaps = ''] = notation.split('!');
  const [since = '', until] = range.split('..');
  const index = (id: string): number => releases.findIndex((release) => release === id);
  return {
    since: index(since),
    until: until === undefined ? releases.length - 1 : index(until),
    gaps: gaps === '' ? [] : gaps.split(',').map(index),
  };
}

/** Parses a table into spans by name. */
export function spansByName(table: SpanTable): ReadonlyMap<string, Span> {
  return new Map(
    Object.entries(table).flatMap(([notation, names]) => {
      const span = parseSpan(notation);
      return names.split(/\s+/).map((name): [string, Span] => [name, span]);
    }),
  );
}

/** The index of a published release, or of the last one before it; -1 if there is none. */
function publishedIndex(release: string): number {
  const [major = 0, minor = 0, patch = 0] = versionNumbers(release);
  return releaseNumbers.findLastIndex(
    ([a = 0, b = 0, c = 0], index) => releases[index] !== '0.9-main' && (a - major || b - minor || c - patch) <= 0,
  );
}

/** The release if it is known, else the last known one before it, if any. */
export function knownRelease(release: string): string | undefined {
  return releases[publishedIndex(release)];
}

/** Whether the published images of a release have a name. Unlike `presenceIn`, does not count 0.9.1 as the later state `0.9-main`. */
export function publishedIn(span: Span, release: string): boolean {
  const last = publishedIndex(release);
  return last >= span.since && last <= span.until && !span.gaps.includes(last);
}

/** Whether a release has a name. */
export function presenceIn(span: Span, release: string): Presence {
  const target = releaseIndex(release);
  if (target < span.since) return { is: 'later', came: releaseName(span.since) };
  if (target > span.until) return { is: 'earlier', gone: releaseName(span.until + 1) };
  if (!span.gaps.includes(target)) return { is: 'there' };
  const back = releases.findIndex((_, index) => index > target && !span.gaps.includes(index));
  return { is: 'later', came: releaseName(back) };
}
