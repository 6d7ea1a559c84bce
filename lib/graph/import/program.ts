import { valueAt } from '../../json/index.ts';
import { formatPath, isObject, isDynamoResource, normalizeResource, type Json, type JsonObject } from '../../api/index.ts';
import { admit, checkDecoding } from '../../admission/index.ts';
import { buildLintIndex } from '../../lint/index.ts';
import { Platform, type PlatformProps } from '../platform.ts';
import { literal, print, type Source } from './code.ts';
import { planGraph, type ImportContext } from './graph-plan.ts';
import { openErrors } from './open-errors.ts';
import { variableName, writeGraph, type Written } from './write-graph.ts';
import { writeObject, writePlain } from './write-object.ts';

/** What an import needs besides the objects. */
export interface ImportOptions {
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
}

/** Kinds written by a class whose id is the object's name. */
const ownClasses = ['DynamoModel', 'DynamoGraphDeploymentRequest'];
const fromCdk8s = ['ApiObject', 'App', 'Duration', 'JsonPatch', 'Size'];

/** The platform whose images the graphs run, guessed from the images themselves. */
export function guessPlatform(objects: readonly JsonObject[]): PlatformProps {
  const images = JSON.stringify(objects, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)).matchAll(
    /"(?:i|profilerI|workersI)mage":"([^"\s]+)\/(?:vllm|sglang|tensorrtllm)-runtime:([^"\s]+)"/g,
  );
  const [first] = images;
  if (first === undefined) return {};
  const standard = new Platform();
  const [, registry = '', tag = ''] = first;
  return { ...(registry === standard.registry ? {} : { registry }), ...(tag === standard.tag ? {} : { tag }) };
}

/** Why the API server or the webhook would refuse an object; nothing for one they take. */
function refusal(object: JsonObject): string | undefined {
  const { value, issues } = normalizeResource(object);
  const all = issues.length > 0 || !isObject(value) ? issues : checkDecoding(value);
  const found =
    all.length > 0 || !isObject(value) ? all : admit({ operation: 'CREATE', object: value }, { thorough: true }).issues;
  return found[0] === undefined ? undefined : `${formatPath(found[0].path)}: ${found[0].message}`;
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

function writeOne(object: JsonObject, ids: Taken, variables: Taken, context: ImportContext): Written {
  const kind = typeof object['kind'] === 'string' ? object['kind'] : '';
  const own = valueAt(object, 'metadata', 'name');
  const name = typeof own === 'string' && own !== '' ? own : kind.toLowerCase();
  const graph = kind === 'DynamoGraphDeployment' && typeof own === 'string' && own !== '';
  const id = unique(graph || ownClasses.includes(kind) ? name : `${kind.toLowerCase()}-${name}`, ids);
  const refused = isDynamoResource(object) ? refusal(object) : undefined;
  if (refused !== undefined) {
    const raw = writePlain(object, id, context);
    return { ...raw, lines: [`// As imported, the API server refuses it: ${refused.replaceAll(/\s+/g, ' ')}`, ...raw.lines] };
  }
  if (!graph) return writeObject(object, id, context);
  return writeGraph(
    planGraph(object, context, unique(`${id}-cache`, ids)),
    id,
    unique(variableName(name), variables, ''),
    openErrors(object, context),
  );
}

/** Writes a TypeScript program whose YAML equals the objects. */
export function importObjects(values: readonly Json[], options: ImportOptions): string {
  const objects = values.filter(isObject);
  const platform = guessPlatform(objects);
  const standard = new Platform(platform);
  const around = buildLintIndex({ resources: objects, release: standard.release, gpusPerNode: standard.gpusPerNode });
  const context: ImportContext = { platform: standard, namespace: namespaceOf(objects), around };
  const ids: Taken = new Map();
  const variables: Taken = new Map(['app', 'chart', 'engine', 'modelCache'].map((name) => [name, 2]));
  const parts = objects.map((o) => writeOne(o, ids, variables, context));
  // Several graphs may each want an engine and a cache of their own; a block keeps the names apart.
  const scoped = parts.filter((p) => p.lines.some((l) => /^const (engine|modelCache) = /.test(l))).length > 1;
  const body = parts.map((p) => (scoped && p.lines.some((l) => l.startsWith('const ')) ? block(p.lines) : p.lines.join('\n')));
  const chartProps: [string, Source][] = [['explicitDefaults', literal(false).source]];
  if (Object.keys(platform).length > 0)
    chartProps.unshift(['platform', { kind: 'call', callee: 'new Platform', args: [literal(platform).source] }]);
  if (context.namespace !== undefined) chartProps.unshift(['namespace', literal(context.namespace).source]);
  const args: Source[] = [{ kind: 'text', text: 'app' }, literal(options.chart).source, { kind: 'object', entries: chartProps }];
  const chart = `const chart = ${print({ kind: 'call', callee: 'new DynamoChart', args }, 0, 14)};`;
  const names = new Set([
    ...parts.flatMap((p) => p.names),
    'App',
    'DynamoChart',
    ...(Object.keys(platform).length > 0 ? ['Platform'] : []),
  ]);
  if (options.functionName !== undefined) names.delete('App');
  const pick = (wanted: (n: string) => boolean): string =>
    [...names]
      .filter(wanted)
      .sort((a, b) => (a < b ? -1 : 1))
      .join(', ');
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
    'const app = new App();',
    chart,
    '',
    ...body.flatMap((b) => [b, '']),
    'app.synth();',
    '',
  ].join('\n');
}

function block(lines: readonly string[]): string {
  return `{\n${lines.map((l) => l.replace(/^(?=.)/gm, '  ')).join('\n')}\n}`;
}
