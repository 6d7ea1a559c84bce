/** Example graphs: every file of examples/ and, if present, of the corpus, each in its own namespace with the objects that it refers to. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isList, isObject, objectAt, objectsAt, stringAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import { readManifests } from '../../lib/manifest/index.ts';
import { type Client, succeeded } from '../control-plane/client.ts';
import { wholeObject } from '../operator/recorded-platform.ts';

/** The documents of one file. */
export interface Example {
  /** Path of the file without its ending. */
  readonly name: string;
  /** A short one: labels of components hold it together with the graph's name. */
  readonly namespace: string;
  readonly documents: readonly JsonObject[];
}

/** Every example with a graph in it, by path; with the corpus also those of upstream. */
export function readExamples(): readonly Example[] {
  const corpus = process.env['DYNAMO_CORPUS'];
  const own = readFolder('examples', 'e');
  const upstream = corpus === undefined ? [] : readFolder(join(corpus, 'upstream/examples'), 'u');
  return [...own, ...upstream].filter(({ documents }) => graphsOf(documents).length > 0);
}

function readFolder(folder: string, prefix: string): readonly Example[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file, index) => ({
      name: file.replace(/\.yaml$/, ''),
      namespace: `${prefix}${index}`,
      documents: readManifests(readFileSync(join(folder, file), 'utf8'), file)
        .documents.map(({ value }) => value)
        .filter(isObject),
    }));
}

/** The graphs among documents. */
export function graphsOf(documents: readonly JsonObject[]): readonly JsonObject[] {
  return documents.filter((document) => stringAt(document, 'kind') === 'DynamoGraphDeployment');
}

/** How many graphs some examples have. */
export function countGraphs(examples: readonly Example[]): number {
  return examples.flatMap(({ documents }) => graphsOf(documents)).length;
}

/** Whether a service of an example spans nodes, which takes Grove or LeaderWorkerSets. */
export function isMultinode({ documents }: Example): boolean {
  return graphsOf(documents).some((graph) =>
    Object.values(objectAt(graph, 'spec', 'services')).some(
      (service) => Number(objectAt(service, 'multinode')['nodeCount'] ?? 1) > 1,
    ),
  );
}

/** Whether a graph of an example has no service, as the sample that upstream's generator left; nobody takes such a graph. */
export function isStub({ documents }: Example): boolean {
  return graphsOf(documents).some((graph) => Object.keys(objectAt(graph, 'spec', 'services')).length === 0);
}

/** Creates an example with the namespace, claims and Secrets it takes for granted. */
export async function createExample(client: Client, { namespace, documents }: Example): Promise<void> {
  succeeded(await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  const own = documents.map((document) => (stringAt(document, 'kind') === 'ComputeDomain' ? claimTemplate(document) : document));
  const isThere = ({ kind, metadata }: JsonObject): boolean =>
    own.some((document) => document['kind'] === kind && stringAt(document, 'metadata', 'name') === stringAt(metadata, 'name'));
  const needed = graphsOf(documents).flatMap((graph) => [...missingClaims(graph), ...missingSecrets(graph)]);
  const graphsLast = [...own.filter((document) => !graphsOf(own).includes(document)), ...graphsOf(own)];
  for (const object of [...needed.filter((one) => !isThere(one)), ...graphsLast]) {
    const answer = await client.create(wholeObject({ ...object, metadata: { ...objectAt(object, 'metadata'), namespace } }));
    // Two graphs of one file may share a claim or a Secret.
    if (!(answer.status === 409 && needed.includes(object))) succeeded(answer);
  }
}

/** What the driver of compute domains makes of one: a template of claims; here they ask for no device. */
function claimTemplate(domain: JsonObject): JsonObject {
  const name = stringAt(domain, 'spec', 'channel', 'resourceClaimTemplate', 'name');
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name }, spec: { spec: { devices: {} } } };
}

function missingClaims(graph: JsonObject): readonly JsonObject[] {
  const made = objectsAt(graph, 'spec', 'pvcs').filter(({ create }) => create === true);
  const names = [
    ...objectsAt(graph, 'spec', 'pvcs').map((claim) => stringAt(claim, 'name')),
    ...stringsAt(graph, 'claimName'),
  ].filter((name) => !made.some((claim) => stringAt(claim, 'name') === name));
  const spec = { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } };
  return [...new Set(names)].map((name) => ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec }));
}

function missingSecrets(graph: JsonObject): readonly JsonObject[] {
  const names = [
    ...stringsAt(graph, 'envFromSecret'),
    ...stringsAt(graph, 'secretName'),
    ...['secretRef', 'secretKeyRef'].flatMap((key) => valuesAt(graph, key).map((value) => stringAt(value, 'name'))),
  ];
  return [...new Set(names)].map((name) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    stringData: { HF_TOKEN: 'none' },
  }));
}

function stringsAt(value: Json, key: string): readonly string[] {
  return valuesAt(value, key).map((found) => stringAt(found));
}

/** The values of a key anywhere below a value. */
function valuesAt(value: Json, key: string): readonly Json[] {
  if (isList(value)) return value.flatMap((item) => valuesAt(item, key));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined) return [];
    return name === key ? [member] : valuesAt(member, key);
  });
}
