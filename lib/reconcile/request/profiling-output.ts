import { formatPath, normalizeResource, type SchemaIssue } from '../../api/index.ts';
import { byteLength, isObject, type JsonObject, stringAt } from '../../json/index.ts';
import { readManifests, type SourceIssue } from '../../manifest/index.ts';
import { graphSpec, rewrite } from '../../render/index.ts';

/** The output of a profiler: the graph, and other objects in their order. */
interface ProfilingOutput {
  readonly graph: JsonObject;
  readonly additional: readonly JsonObject[];
}

/** The most documents that are read of a profiler's output; a real one has two. */
const mostDocuments = 1000;

/** The longest graph that a request can keep, in bytes: with the additional resources it must fit into what etcd stores. */
const mostBytes = 1_200_000;

/** Parses the output of a profiler, or says what is wrong with it. The output is not trusted: only plain data is taken from it. */
export function readOutput(text: string, key: string): ProfilingOutput | string {
  const { documents, issues } = readManifests(text, key);
  const wrong = (message: string): string => `failed to extract DGD from ${key}: ${message}`;
  if (documents.length > mostDocuments)
    return wrong(`${documents.length} documents are more than the ${mostDocuments} that are read`);
  const typed = documents.flatMap(({ value }) => (isObject(value) && stringAt(value, 'kind') !== '' ? [value] : []));
  const graphs = typed.filter((object) => stringAt(object, 'kind') === 'DynamoGraphDeployment').map(typedGraph);
  const problem = graphs.find((graph) => typeof graph === 'string');
  if (problem !== undefined) return wrong(`failed to convert to DynamoGraphDeployment: ${problem}`);
  const graph = graphs.at(-1);
  if (!isObject(graph)) return wrong(`no DynamoGraphDeployment found in YAML content${unreadable(issues)}`);
  // A text of a megabyte may repeat its parts by aliases.
  const bytes = byteLength(JSON.stringify(graph));
  if (bytes > mostBytes)
    return wrong(`the DynamoGraphDeployment has ${bytes} bytes, more than the ${mostBytes} that a request can keep`);
  return { graph, additional: typed.filter((object) => stringAt(object, 'kind') !== 'DynamoGraphDeployment') };
}

/** Documents that cannot be parsed are skipped. Where no graph is found, they are given as the likely reason. */
function unreadable(issues: readonly SourceIssue[]): string {
  const first = issues.find(({ severity }) => severity === 'error');
  return first === undefined ? '' : `; a document cannot be read: line ${first.line}: ${first.message}`;
}

const apiVersion = 'nvidia.com/v1alpha1';

/** The graph with known fields only, as the operator's types hold it; or why it does not fit these types. */
function typedGraph(document: JsonObject): JsonObject | string {
  const { value, issues } = normalizeResource({ ...document, apiVersion });
  const mismatch = issues.find(isTypeMismatch);
  if (mismatch !== undefined) return `${formatPath(mismatch.path)}: ${mismatch.message}`;
  const metadata = isObject(value) ? value['metadata'] : undefined;
  return {
    apiVersion: stringAt(document, 'apiVersion') || apiVersion,
    kind: 'DynamoGraphDeployment',
    metadata: isObject(metadata) ? metadata : {},
    spec: rewrite(graphSpec, document['spec']),
    status: {},
  };
}

function isTypeMismatch({ code, causes }: SchemaIssue): boolean {
  return causes.length === 0 ? code === 'type' : causes.some(({ reason }) => reason === 'FieldValueTypeInvalid');
}
