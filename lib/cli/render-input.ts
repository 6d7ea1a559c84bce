import { admit } from '../admission/index.ts';
import { isObject, type Json, type JsonObject } from '../json/index.ts';
import { isDynamoResource } from '../api/dynamo-resource.ts';
import type { ManifestDocument } from '../manifest/index.ts';
import type { Source } from '../render/index.ts';
import type { Finding } from './report/index.ts';
import { checkDocument, type ValidateSettings } from './validate-documents.ts';

/** A resource to render and where it was written. */
export interface RenderInput {
  readonly resource: Source;
  readonly document: ManifestDocument;
}

/** Documents sorted into what to render and what the cluster has. */
export interface SortedDocuments {
  readonly inputs: readonly RenderInput[];
  readonly cluster: readonly Json[];
  /** Whether any resource of ours was given, also one from which nothing is rendered. */
  readonly ours: boolean;
  readonly findings: readonly Finding[];
}

const renderable: ReadonlySet<Json | undefined> = new Set([
  'DynamoGraphDeployment',
  'DynamoComponentDeployment',
  'DynamoGraphDeploymentRequest',
]);

/** Checks our resources as the API server and the webhook would; everything else is taken as part of the cluster. */
export function sortDocuments(documents: readonly ManifestDocument[], settings: ValidateSettings): SortedDocuments {
  const inputs = new Map<string, RenderInput>();
  const cluster: Json[] = [];
  const findings: Finding[] = [];
  let ours = false;
  for (const document of documents) {
    const { value } = document;
    if (isObject(value) && isDynamoResource(value)) ours = true;
    else cluster.push(value);
    const checked = checkDocument(document, settings);
    const { stored } = checked;
    const refused = stored === undefined ? [] : admit({ operation: 'CREATE', object: stored }, settings).issues;
    if (refused.length === 0) findings.push(...checked.findings);
    else {
      // The webhook's own words name the field in their own way.
      findings.push(...checked.findings.filter((finding) => finding.severity === 'warning'));
      for (const { code, path, text } of refused)
        findings.push({ file: document.file, ...document.position(path), severity: 'error', id: code, path: '', message: text });
    }
    if (stored === undefined || refused.length > 0 || !renderable.has(stored['kind'])) continue;
    const resource = withLiveStatus(stored, value) as unknown as Source;
    const key = `${resource.kind}/${resource.metadata.namespace}/${resource.metadata.name}`;
    if (inputs.has(key)) findings.push(repeated(document, resource));
    inputs.set(key, { resource, document });
  }
  return { inputs: [...inputs.values()], cluster, ours, findings };
}

/** The restart status of an object read back from a cluster decides which pods carry its token. */
function withLiveStatus(stored: JsonObject, value: Json): JsonObject {
  if (!isObject(value) || !isObject(value['metadata']) || value['metadata']['uid'] === undefined) return stored;
  const restart = isObject(value['status']) ? value['status']['restart'] : undefined;
  return isObject(restart) ? { ...stored, status: { restart } } : stored;
}

function repeated(document: ManifestDocument, { kind, metadata }: Source): Finding {
  return {
    file: document.file,
    ...document.position(['metadata', 'name']),
    severity: 'warning',
    id: 'repeated_resource',
    path: 'metadata.name',
    message: `${kind} ${metadata.name} is given more than once; this one counts`,
  };
}
