import { Yaml } from 'cdk8s';
import { normalizeResource } from '../../api/index.ts';
import {
  byteOrder,
  formatPath,
  isObject,
  objectAt,
  valueAt,
  withoutPaths,
  type Json,
  type JsonObject,
  type Path,
} from '../../json/index.ts';
import { indexDocuments, judgeDocuments, renderDocuments, type RenderedDocument } from '../../check/index.ts';
import { Platform, type PlatformProps } from '../platform.ts';
import { literal, print, type PrintOptions, type Source } from './code.ts';
import { planGraph, type ImportContext } from './graph-plan.ts';
import { withoutLiveFields } from './live-fields.ts';
import { errorSuppressions } from './error-suppressions.ts';
import { variableName, writeGraph, type Written } from './write-graph.ts';
import { writeObject, writePlain } from './write-object.ts';

/** Options of an import. */
interface ImportOptions {
  /** Name of the chart, and of the YAML file that the program writes. */
  readonly chart: string;
  /**
   * Module that the code imports from.
   * @default 'dynamo-cdk8s'
   */
  readonly module?: string;
  /**
   * Name of an exported function that adds the chart to an app, instead of a program.
   * @default - a program
   */
  readonly functionName?: string;
  /**
   * Maximum number of lines of code, without blank lines and comments.
   * @default - the number of lines of the objects as YAML
   */
  readonly lines?: number;
}

/** Kinds with a class of their own, whose construct id is the object's name. */
const ownClasses = ['DynamoModel', 'DynamoGraphDeploymentRequest'];
const fromCdk8s = ['ApiObject', 'App', 'Duration', 'JsonPatch', 'Size'];

const imageKeys = new Set(['image', 'profilerImage', 'workersImage']);

interface EngineImage {
  readonly registry: string;
  readonly tag: string;
}

/** Registry and tag of the first engine image in a value. */
function findEngineImage(value: Json, key = ''): EngineImage | undefined {
  if (typeof value === 'string' && imageKeys.has(key)) {
    const cut = value.lastIndexOf('/');
    const tag = /^(?:vllm|sglang|tensorrtllm)-runtime:(\S+)$/.exec(value.slice(cut + 1))?.[1];
    return cut <= 0 || tag === undefined || /\s/.test(value) ? undefined : { registry: value.slice(0, cut), tag };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = member === undefined ? undefined : findEngineImage(member, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Platform properties derived from the images of the graphs. */
function platformProps(objects: readonly JsonObject[]): PlatformProps {
  const first = findEngineImage([...objects]);
  if (first === undefined) return {};
  const standard = new Platform();
  const { registry, tag } = first;
  return { ...(registry === standard.registry ? {} : { registry }), ...(tag === standard.tag ? {} : { tag }) };
}

/** The error for which the API server rejects a document, or for which it cannot be rendered. */
function refusal({ findings }: RenderedDocument): string | undefined {
  const first = findings.find(({ severity, stage }) => severity === 'error' && stage !== 'rejection');
  return first && `${formatPath(first.path)}: ${first.message}`;
}

function namespaceOf(objects: readonly JsonObject[]): string | undefined {
  const [first, ...others] = objects.map((o) => valueAt(o, 'metadata', 'namespace'));
  return typeof first === 'string' && first !== '' && others.every((n) => n === first) ? first : undefined;
}

/** Names already used, each with the suffix to try first for the next duplicate. */
type UsedNames = Map<string, number>;

function unique(wanted: string, used: UsedNames, dash = '-'): string {
  let id = wanted;
  let next = used.get(wanted) ?? 2;
  for (; used.has(id) || id in {}; next++) id = `${wanted}${dash}${next}`;
  used.set(wanted, next);
  used.set(id, used.get(id) ?? 2);
  return id;
}

function writeOne(document: RenderedDocument, ids: UsedNames, variables: UsedNames, context: ImportContext): Written {
  const { value: object } = document.source;
  if (!isObject(object)) return { lines: [], names: [] };
  const kind = typeof object['kind'] === 'string' ? object['kind'] : '';
  const own = valueAt(object, 'metadata', 'name');
  const name = typeof own === 'string' && own !== '' ? own : kind.toLowerCase();
  // A construct cannot have an empty id.
  const named = typeof own === 'string' && own !== '' && !Object.hasOwn(objectAt(object, 'spec', 'services'), '');
  const graph = kind === 'DynamoGraphDeployment' && named;
  const id = unique(graph || ownClasses.includes(kind) ? name : `${kind.toLowerCase()}-${name}`, ids);
  const refused = refusal(document);
  const invalid = document.findings.flatMap(({ severity, stage, path }) =>
    severity === 'error' && stage !== 'rejection' && path[0] === 'spec' ? [path] : [],
  );
  const reason = refused === undefined ? [] : [`// As imported, the API server refuses it: ${refused.replaceAll(/\s+/g, ' ')}`];
  const whole = refused !== undefined && (!graph || !isValidWithout(object, invalid));
  if (whole) {
    const raw = writePlain(object, id, context);
    return { ...raw, lines: [...reason, ...raw.lines] };
  }
  if (!graph) return writeObject(object, document, id, context);
  const cacheId = unique(`${id}-cache`, ids);
  const variable = unique(variableName(name), variables, '');
  const errors = refused === undefined ? errorSuppressions(document, context) : [];
  const written = writeGraph(planGraph(object, context, cacheId, invalid), id, variable, errors, context.print);
  return { ...written, lines: [...reason, ...written.lines], refused: refused !== undefined };
}

/** Whether an object is valid without the fields at some paths, which patches can add. */
function isValidWithout(object: JsonObject, paths: readonly Path[]): boolean {
  if (paths.some((path) => path.length < 2 || (path[1] === 'services' && path.length < 4))) return false;
  return normalizeResource(withNamespace(withoutPaths(object, paths))).issues.length === 0;
}

/** The object in a valid namespace. */
function withNamespace(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...objectAt(object, 'metadata'), namespace: 'default' } };
}

/** Writes a TypeScript program whose YAML equals the objects. */
export function importObjects(values: readonly Json[], options: ImportOptions): string {
  const sources = values.map((value) => ({ value: withoutLiveFields(value) }));
  return importDocuments(renderDocuments(judgeDocuments(sources, settings), settings), options);
}

const settings = { namespace: 'default' };

const isCode = (line: string): boolean => line.trim() !== '' && !line.trimStart().startsWith('//');

/** Writes a TypeScript program whose YAML equals the documents; it is not longer than the YAML. */
export function importDocuments(documents: readonly RenderedDocument[], options: ImportOptions): string {
  const written = writeProgram(documents, options, {});
  const objects = documents.map(({ source }) => source.value);
  const limit =
    options.lines ??
    Yaml.stringify(...objects)
      .split('\n')
      .filter((line) => line.trim() !== '').length;
  const fits = (program: string): boolean => program.split('\n').filter(isCode).length <= limit;
  if (fits(written)) return written;
  const dense = writeProgram(documents, options, { dense: true });
  return fits(dense) ? dense : writeProgram(documents, options, { dense: true, width: 10_000 });
}

function writeProgram(documents: readonly RenderedDocument[], options: ImportOptions, printing: PrintOptions): string {
  const objects = documents.map(({ source }) => source.value).filter(isObject);
  const platform = platformProps(objects);
  const standard = new Platform(platform);
  const { release, gpusPerNode } = standard;
  const index = indexDocuments(documents, { ...settings, release, gpusPerNode });
  const context: ImportContext = { platform: standard, namespace: namespaceOf(objects), index, print: printing };
  const ids: UsedNames = new Map();
  const variables: UsedNames = new Map(['app', 'chart', 'engine', 'modelCache', 'shared'].map((name) => [name, 2]));
  const parts = documents.map((document) => writeOne(document, ids, variables, context));
  // Several graphs may declare variables of the same name, so each gets a block.
  const scoped = parts.filter((p) => p.lines.some((l) => /^const (engine|modelCache|shared) = /.test(l))).length > 1;
  const body = parts.map((p) => (scoped && p.lines.some((l) => l.startsWith('const ')) ? block(p.lines) : p.lines.join('\n')));
  const chartProps: [string, Source][] = [['explicitDefaults', literal(false).source]];
  if (parts.some((p) => p.refused === true)) chartProps.push(['errors', literal('print').source]);
  if (Object.keys(platform).length > 0)
    chartProps.unshift(['platform', { kind: 'call', callee: 'new Platform', args: [literal(platform).source] }]);
  if (context.namespace !== undefined) chartProps.unshift(['namespace', literal(context.namespace).source]);
  const app = options.functionName === undefined ? 'new App()' : 'app';
  const args: Source[] = [{ kind: 'text', text: app }, literal(options.chart).source, { kind: 'object', entries: chartProps }];
  const chart = `const chart = ${print({ kind: 'call', callee: 'new DynamoChart', args }, 0, 14, printing)};`;
  const names = new Set([
    ...parts.flatMap((p) => p.names),
    'App',
    'DynamoChart',
    ...(Object.keys(platform).length > 0 ? ['Platform'] : []),
  ]);
  if (options.functionName !== undefined) names.delete('App');
  const pick = (wanted: (n: string) => boolean): string => [...names].filter(wanted).sort(byteOrder).join(', ');
  if (options.functionName !== undefined) {
    const inside = [chart, ...body, 'return chart;'].join('\n');
    return [
      `import { ${[pick((n) => fromCdk8s.includes(n)), 'type App'].filter((n) => n !== '').join(', ')} } from 'cdk8s';`,
      `import { ${pick((n) => !fromCdk8s.includes(n))} } from '${options.module ?? 'dynamo-cdk8s'}';`,
      '',
      '/** Adds a chart with the imported objects. */',
      `export function ${options.functionName}(app: App): DynamoChart ${block([inside])}`,
      '',
    ].join('\n');
  }
  return [
    `import { ${pick((n) => fromCdk8s.includes(n))} } from 'cdk8s';`,
    `import { ${pick((n) => !fromCdk8s.includes(n))} } from '${options.module ?? 'dynamo-cdk8s'}';`,
    '',
    chart,
    '',
    ...body.flatMap((b) => [b, '']),
    'App.of(chart).synth();',
    '',
  ].join('\n');
}

function block(lines: readonly string[]): string {
  return `{\n${lines.map((l) => l.replace(/^(?=.)/gm, '  ')).join('\n')}\n}`;
}
