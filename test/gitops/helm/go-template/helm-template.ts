import type { KubernetesObject } from '../../../../lib/api/index.ts';
import { parse, parseAllDocuments } from 'yaml';
import type { OutputFile } from '../../../../lib/gitops/layout.ts';
import { isObject, type JsonObject } from '../../../../lib/json/index.ts';
import { fillIn } from '../../../../lib/platform/merge.ts';
import { Templates } from './evaluate.ts';

/** What helm knows beside the chart. */
export interface Release {
  readonly values?: object;
  readonly name?: string;
  readonly namespace?: string;
  readonly apiVersions?: readonly string[];
}

/** The text of a chart's file. */
export function fileOf(chart: readonly OutputFile[], path: string): string {
  const found = chart.find((file) => file.path === path);
  if (found === undefined) throw new Error(`no ${path}`);
  return found.text;
}

function asObject(value: unknown): JsonObject {
  const json = JSON.parse(JSON.stringify(value));
  if (!isObject(json)) throw new Error('no map');
  return json;
}

/** What a template of a chart sees as its dot. */
export function dotOf(chart: readonly OutputFile[], release: Release): object {
  const { values = {}, name = 'dynamo-platform', namespace = 'dynamo-system', apiVersions = [] } = release;
  const { appVersion } = parse(fileOf(chart, 'Chart.yaml'));
  const has = (version: string): boolean => apiVersions.includes(version);
  return {
    Values: fillIn(asObject(values), asObject(parse(fileOf(chart, 'values.yaml')))),
    Release: { Name: name, Namespace: namespace },
    Chart: { AppVersion: appVersion },
    Capabilities: { APIVersions: { Has: has } },
  };
}

/** What `helm template` prints for one file of a chart. */
export function templateFile(chart: readonly OutputFile[], path: string, release: Release = {}): string {
  return new Templates(fileOf(chart, 'templates/_helpers.tpl')).render(fileOf(chart, path), dotOf(chart, release));
}

/** The objects that `helm template --skip-tests` prints, by kind, namespace and name. */
export function helmTemplate(chart: readonly OutputFile[], release: Release): ReadonlyMap<string, KubernetesObject> {
  const templates = new Templates(fileOf(chart, 'templates/_helpers.tpl'));
  const dot = dotOf(chart, release);
  const paths = chart.map(({ path }) => path).filter((path) => /^templates\/(?!tests\/).*\.yaml$/.test(path));
  const objects = paths
    .flatMap((path) => parseAllDocuments(templates.render(fileOf(chart, path), dot)))
    .map((document): KubernetesObject | null => document.toJS())
    .filter((object) => object !== null);
  return new Map(objects.map((object) => [keyOf(object), object]));
}

/** What an object is called in messages of tests. */
export function keyOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
