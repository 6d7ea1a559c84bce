import { resolve } from 'node:path';
import { judgeDocuments, lintDocuments, renderDocuments, type DocumentFinding, type LintSettings } from '../check/index.ts';
import { editYaml } from '../lint/index.ts';
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

/** A finding and the document it is about. */
interface Found {
  readonly document: ManifestDocument;
  readonly finding: DocumentFinding;
}

function findAll(documents: readonly ManifestDocument[], settings: LintSettings): readonly Found[] {
  const linted = lintDocuments(renderDocuments(judgeDocuments(documents, settings), settings), settings);
  return linted.flatMap(({ source, findings }) => findings.map((finding) => ({ document: source, finding })));
}

function key({ document, finding }: Found): string {
  return JSON.stringify([document.file, finding.id, finding.path]);
}

/** The fixes in files that were written, and an error for each file that could not be written. */
interface Fixed {
  readonly applied: readonly AppliedFix[];
  readonly problems: readonly string[];
}

/** Applies every safe fix, one at a time until none is left, and replaces each changed file atomically. */
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
    const all = [...sources.values()].flatMap((source) => source.documents);
    const next = findAll(all, settings).find((f) => f.finding.fix !== undefined && !tried.has(key(f)));
    if (next?.finding.fix === undefined) break;
    const { document, finding } = next;
    const source = sources.get(document.file);
    const text = source && editYaml(source.text, source.documents.indexOf(document), next.finding.fix.edits);
    tried.add(key(next));
    if (source === undefined || text === undefined || text === source.text) continue;
    applied.push({
      file: document.file,
      line: document.position(finding.path).line,
      id: finding.id,
      description: next.finding.fix.description,
    });
    sources.set(document.file, { text, documents: readManifests(text, document.file).documents });
  }
  const problems = new Map<string, string>();
  for (const [file, source] of sources) {
    if (source.text === originals.get(file)) continue;
    const reason = writeFileWhole(resolve(io.cwd, file), source.text);
    if (reason !== undefined) problems.set(file, `${printable(file)}: cannot be written (${reason}); the file is unchanged`);
  }
  return { applied: applied.filter(({ file }) => !problems.has(file)), problems: [...problems.values()] };
}
