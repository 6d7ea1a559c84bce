import { Yaml } from 'cdk8s';
import { normalizeResource } from '../../api/index.ts';
import { byteOrder, formatPath, isObject, objectAt, valueAt, type Json, type JsonObject, type Path } from '../../json/index.ts';
import { indexDocuments, judgeDocuments, renderDocuments, type RenderedDocument } from '../../check/index.ts';
import { Platform, type PlatformProps } from '../platform.ts';
import { literal, print, type PrintOptions, type Source } from './code.ts';
import { planGraph, type ImportContext } from './graph-plan.ts';
import { without } from './json-diff.ts';
import { withoutLiveFields } from './live-fields.ts';
import { openErrors } from './open-errors.ts';
import { variableName, writeGraph, type Written } from './write-graph.ts';
import { writeObject, writePlain } from './write-object.ts';

/** What an import needs besides the objects. */
interface ImportOptions {
  /** Name of the chart, and so of the YAML file that running the code writes. */
  readonly chart: string;
  /**
   * Module the code imports from.
   * @default 'dynamo-cdk8s'
   */
  readonly module?: string;
  /**
   * Name of a function to export that makes the chart in an app it is given, in place of a program that runs by itself.
   * @default - a program
   */
  readonly functionName?: string;
  /**
   * Lines of the YAML, without blank ones and comments, which the code must not exceed.
   * @default - as many as the objects have
   */
  readonly lines?: number;
}

/** Kinds written by a class whose id is the object's name. */
const ownClasses = ['DynamoModel', 'DynamoGraphDeploymentRequest'];
const fromCdk8s = ['ApiObject', 'App', 'Duration', 'JsonPatch', 'Size'];

const imageKeys = new Set(['image', 'profilerImage', 'workersImage']);

interface EngineImage {
  readonly registry: string;
  readonly tag: string;
}

/** The first image of an engine in a value: what comes before its name, and its tag. */
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

/** The platform whose images the graphs run, guessed from the images themselves. */
function guessPlatform(objects: readonly JsonObject[]): PlatformProps {
  const first = findEngineImage([...objects]);
  if (first === undefined) return {};
  const standard = new Platform();
  const { registry, tag } = first;
  return { ...(registry === standard.registry ? {} : { registry }), ...(tag === standard.tag ? {} : { tag }) };
}

/** Why a document has to stay as it is written: the API server refuses it, or nothing can be rendered from it. */
function refusal({ findings }: RenderedDocument): string | undefined {
  const first = findings.find(({ severity, stage }) => severity === 'error' && stage !== 'rejection');
  return first && `${formatPath(first.path)}: ${first.message}`;
}

function namespaceOf(objects: readonly JsonObject[]): string | undefined {
  const [first, ...others] = objects.map((o) => valueAt(o, 'metadata', 'namespace'));
  return typeof first === 'string' && first !== '' && others.every((n) => n === first) ? first : undefined;
}

/** Names that are taken, each with the number that the next one like it gets. */
type Taken = Map<string, number>;

function unique(wanted: string, taken: Taken, dash = '-'): string {
  let id = wanted;
  let next = taken.get(wanted) ?? 2;
  for (; taken.has(id) || id in {}; next++) id = `${wanted}${dash}${next}`;
  taken.set(wanted, next);
  taken.set(id, taken.get(id) ?? 2);
  return id;
}

function writeOne(document: RenderedDocument, ids: Taken, variables: Taken, context: ImportContext): Written {
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
  const odd = document.findings.flatMap(({ severity, stage, path }) =>
    severity === 'error' && stage !== 'rejection' && path[0] === 'spec' ? [path] : [],
  );
  const reason = refused === undefined ? [] : [`// As imported, the API server refuses it: ${refused.replaceAll(/\s+/g, ' ')}`];
  const whole = refused !== undefined && (!graph || !isTypedBut(object, odd));
  if (whole) {
    const raw = writePlain(object, id, context);
    return { ...raw, lines: [...reason, ...raw.lines] };
  }
  if (!graph) return writeObject(object, document, id, context);
  const cacheId = unique(`${id}-cache`, ids);
  const variable = unique(variableName(name), variables, '');
  const errors = refused === undefined ? openErrors(document, context) : [];
  const written = writeGraph(planGraph(object, context, cacheId, odd), id, variable, errors, context.print);
  return { ...written, lines: [...reason, ...written.lines], refused: refused !== undefined };
}

/** Whether an object is one that the types take but for some fields, which patches can put back. */
function isTypedBut(object: JsonObject, odd: readonly Path[]): boolean {
  if (odd.some((path) => path.length < 2 || (path[1] === 'services' && path.length < 4))) return false;
  return normalizeResource(withNamespace(without(object, odd) as JsonObject)).issues.length === 0;
}

/** An object in a namespace that is right, whatever it says. */
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

/** Writes a TypeScript program whose YAML equals the documents, of which the pipeline has said what there is to say; never longer than the YAML. */
export function importDocuments(documents: readonly RenderedDocument[], options: ImportOptions): string {
  const written = writeProgram(documents, options, {});
  const objects = documents.map(({ source }) => source.value);
  const limit =
    options.lines ??
    Yaml.stringify(...objects)
      .split('\n')
      .filter((line) => line.trim() !== '').length;
  const fits = (text: string): boolean => text.split('\n').filter(isCode).length <= limit;
  if (fits(written)) return written;
  const dense = writeProgram(documents, options, { dense: true });
  return fits(dense) ? dense : writeProgram(documents, options, { dense: true, width: 10_000 });
}

function writeProgram(documents: readonly RenderedDocument[], options: ImportOptions, printing: PrintOptions): string {
  const objects = documents.map(({ source }) => source.value).filter(isObject);
  const platform = guessPlatform(objects);
  const standard = new Platform(platform);
  const { release, gpusPerNode } = standard;
  const around = indexDocuments(documents, { ...settings, release, gpusPerNode });
  const context: ImportContext = { platform: standard, namespace: namespaceOf(objects), around, print: printing };
  const ids: Taken = new Map();
  const variables: Taken = new Map(['app', 'chart', 'engine', 'modelCache', 'shared'].map((name) => [name, 2]));
  const parts = documents.map((document) => writeOne(document, ids, variables, context));
  // Several graphs may each want an engine and a cache of their own; a block keeps the names apart.
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
