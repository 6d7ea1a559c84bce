import { resolve } from 'node:path';
import { judgeDocuments, lintDocuments, renderDocuments, type DocumentFinding, type LintSettings } from '../check/index.ts';
import { editObjects, findRule } from '../lint/index.ts';
import { writeFileWhole } from '../files/index.ts';
import { printable } from '../json/index.ts';
import { readManifests, type ManifestDocument } from '../manifest/index.ts';
import type { Io } from './command.ts';
import { readSource } from './inputs.ts';

/** A fix that was applied. */
interface AppliedFix {
  readonly file: string;
  readonly line: number;
  readonly id: string;
  readonly description: string;
}

/** The content of a file while fixes are applied to it. */
interface Source {
  readonly text: string;
  readonly documents: readonly ManifestDocument[];
}

const maxFixes = 10_000;

/** A fix to apply, and the document it is for. */
interface PendingFix {
  readonly document: ManifestDocument;
  /** Which document of its file it is. */
  readonly index: number;
  readonly finding: DocumentFinding;
  readonly fix: NonNullable<DocumentFinding['fix']>;
}

/** Every fix that lint proposes. */
function findFixes(sources: Iterable<Source>, settings: LintSettings): readonly PendingFix[] {
  const indexes = new Map<ManifestDocument, number>();
  for (const { documents } of sources) for (const [index, document] of documents.entries()) indexes.set(document, index);
  const linted = lintDocuments(renderDocuments(judgeDocuments([...indexes.keys()], settings), settings), settings);
  return linted.flatMap(({ source: document, findings }) =>
    findings.flatMap((finding) =>
      finding.fix === undefined ? [] : [{ document, index: indexes.get(document) ?? 0, finding, fix: finding.fix }],
    ),
  );
}

function key({ document, index, finding }: PendingFix): string {
  return JSON.stringify([document.file, index, finding.id, finding.path]);
}

/** The fixes to apply together: the first of every document, but a fix that depends on other documents alone. */
function independentFixes(fixes: readonly PendingFix[]): readonly PendingFix[] {
  const first = new Map<ManifestDocument, PendingFix>();
  for (const fix of fixes)
    if (!first.has(fix.document) && findRule(fix.finding.id)?.contextual !== true) first.set(fix.document, fix);
  return first.size > 0 ? [...first.values()] : fixes.slice(0, 1);
}

/** The fixes in files that were written, and an error for each file that could not be written. */
interface Fixed {
  readonly applied: readonly AppliedFix[];
  readonly problems: readonly string[];
}

/** Applies every safe fix, of each document one at a time until none is left, and replaces each changed file atomically. */
export async function fixFiles(files: readonly string[], settings: LintSettings, io: Io): Promise<Fixed> {
  const sources = new Map<string, Source>();
  for (const file of files) {
    const text = await readSource(resolve(io.cwd, file), file, io, []);
    if (text !== undefined && !/\.json$/i.test(file)) sources.set(file, { text, documents: readManifests(text, file).documents });
  }
  const originals = new Map([...sources].map(([file, source]) => [file, source.text]));
  const applied: AppliedFix[] = [];
  const tried = new Set<string>();
  while (applied.length < maxFixes) {
    const fixes = independentFixes(findFixes(sources.values(), settings).filter((fix) => !tried.has(key(fix))));
    if (fixes.length === 0) break;
    for (const fix of fixes) tried.add(key(fix));
    for (const [file, { text }] of sources) {
      const own = fixes.filter(({ document }) => document.file === file);
      if (own.length === 0) continue;
      const { source, edited } = editObjects(text, new Map(own.map(({ index, fix }) => [index, fix.edits])));
      for (const { document, index, finding, fix } of own)
        if (edited.has(index))
          applied.push({ file, line: document.position(finding.path).line, id: finding.id, description: fix.description });
      sources.set(file, { text: source, documents: readManifests(source, file).documents });
    }
  }
  const problems = new Map<string, string>();
  for (const [file, source] of sources) {
    if (source.text === originals.get(file)) continue;
    const reason = writeFileWhole(resolve(io.cwd, file), source.text);
    if (reason !== undefined) problems.set(file, `${printable(file)}: cannot be written (${reason}); the file is unchanged`);
  }
  return { applied: applied.filter(({ file }) => !problems.has(file)), problems: [...problems.values()] };
}
