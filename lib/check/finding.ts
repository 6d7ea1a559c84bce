import { formatPath, type Path } from '../json/index.ts';
import type { Fix } from '../lint/index.ts';
import type { Position, SourceIssue } from '../manifest/index.ts';

/**
 * The stage of the pipeline that reports a finding. Errors of `kind`, `schema` and `admission` mean that the API server rejects the document, of
 * `render` that the operator cannot render it, of `rejection` that the API server rejects a rendered object. `quirk` and `lint` are advice.
 */
export type Stage = 'source' | 'kind' | 'schema' | 'admission' | 'render' | 'rejection' | 'quirk' | 'lint';

/** A problem or a piece of advice about one field of a document. */
export interface DocumentFinding {
  readonly stage: Stage;
  readonly severity: 'error' | 'warning';
  /** Stable identifier of the rule or the problem. */
  readonly id: string;
  readonly path: Path;
  /** What is wrong, the value found, what is allowed, what to change. Does not contain the path. */
  readonly message: string;
  /** The message exactly as the webhook returns it, with the field in the webhook's notation. */
  readonly webhookMessage?: string;
  /** A fix that is safe to apply automatically. */
  readonly fix?: Fix;
}

/** Kind, namespace and name of an object. */
export interface Identity {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A finding with its position in a file, ready to be printed in any format. */
export interface LocatedFinding extends Position {
  readonly stage: Stage;
  /** The file as the user named it. Line and column are 0 when the finding is about the whole file. */
  readonly file: string;
  readonly severity: 'error' | 'warning';
  readonly id: string;
  /** The field path, such as `spec.services.Worker.replicas`; empty when the finding is about no field. */
  readonly path: string;
  readonly message: string;
  /** The object that the finding is about, if any. */
  readonly object?: Identity;
  /** Description of the rule, for formats that list rules. */
  readonly ruleDescription?: string;
}

/** The file of a document and the positions of its fields. */
interface DocumentSource {
  readonly file: string;
  position(path: Path): Position;
}

/** Adds file, line and column to a finding. */
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

/** Adds file, line and column to every finding of documents read from files. */
export function locateFindings(
  documents: readonly {
    readonly source: DocumentSource;
    readonly identity: Identity;
    readonly findings: readonly DocumentFinding[];
  }[],
): readonly LocatedFinding[] {
  return documents.flatMap(({ source, identity, findings }) => findings.map((finding) => locate(source, finding, identity)));
}

/** Source issues that are warnings: a file without objects, an object that is read as a list. */
const warningCodes: ReadonlySet<SourceIssue['code']> = new Set(['empty', 'not_a_list']);

/** Converts an issue of the source to a finding. What kubectl cannot read, or reads differently than intended, is an error. */
export function sourceFinding({ file, line, column, code, message }: SourceIssue): LocatedFinding {
  const severity = warningCodes.has(code) ? 'warning' : 'error';
  return { stage: 'source', file, line, column, severity, id: code, path: '', message };
}
