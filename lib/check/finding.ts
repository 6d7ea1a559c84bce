import { formatPath, type Path } from '../json/index.ts';
import type { Fix } from '../lint/index.ts';
import type { Position, SourceIssue } from '../manifest/index.ts';

/**
 * Which stage of the pipeline says it. The API server refuses a document for what `kind` to `render` call an error, and an object made from it
 * for a `rejection`; `quirk` and `lint` are advice.
 */
export type Stage = 'source' | 'kind' | 'schema' | 'admission' | 'render' | 'rejection' | 'quirk' | 'lint';

/** One fact about a document, at a field of it. */
export interface DocumentFinding {
  readonly stage: Stage;
  readonly severity: 'error' | 'warning';
  /** Stable name of the rule or of the kind of problem. */
  readonly id: string;
  readonly path: Path;
  /** What is wrong, the value found, what is allowed, what to change. No path in it. */
  readonly message: string;
  /** The webhook's own words, which name the field in their own way. */
  readonly webhookText?: string;
  /** A repair that is safe to make without asking. */
  readonly fix?: Fix;
}

/** What an object is called. */
export interface Identity {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A finding with its place in a file, ready to be printed in any format. */
export interface LocatedFinding extends Position {
  readonly stage: Stage;
  /** The file as the user named it. Line and column are 0 where the finding is about the whole file. */
  readonly file: string;
  readonly severity: 'error' | 'warning';
  readonly id: string;
  /** The field, as in `spec.services.Worker.replicas`; empty where there is none. */
  readonly path: string;
  readonly message: string;
  /** The object concerned, if there is one. */
  readonly object?: Identity;
  /** What a rule is about, for formats that list rules. */
  readonly ruleDescription?: string;
}

/** Where a document was written. */
interface DocumentSource {
  readonly file: string;
  position(path: Path): Position;
}

/** A document's finding at its line. */
export function locate(source: DocumentSource, finding: DocumentFinding, object?: Identity): LocatedFinding {
  const { stage, severity, id, path, message } = finding;
  return {
    file: source.file,
    ...source.position(path),
    stage,
    severity,
    id,
    path: formatPath(path),
    message,
    ...(object === undefined || object.kind === '' ? {} : { object }),
  };
}

/** Every finding of documents read from files, at its line. */
export function locateFindings(
  documents: readonly {
    readonly source: DocumentSource;
    readonly identity: Identity;
    readonly findings: readonly DocumentFinding[];
  }[],
): readonly LocatedFinding[] {
  return documents.flatMap(({ source, identity, findings }) => findings.map((finding) => locate(source, finding, identity)));
}

/** What is only worth a look: a file without objects, an object that is read as a list. */
const lenient: ReadonlySet<SourceIssue['code']> = new Set(['empty', 'not_a_list']);

/** A problem of the text itself as a finding: what kubectl cannot read, or reads otherwise than it was meant, is an error. */
export function sourceFinding({ file, line, column, code, message }: SourceIssue): LocatedFinding {
  const severity = lenient.has(code) ? 'warning' : 'error';
  return { stage: 'source', file, line, column, severity, id: code, path: '', message };
}
