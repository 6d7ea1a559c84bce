import { valueAt, withoutNulls } from '../../json/index.ts';
import { ApiObject, type ApiObjectProps } from 'cdk8s';
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../api/index.ts';
import type { RenderedDocument } from '../../check/index.ts';
import { DynamoModel, type DynamoModelProps } from '../dynamo-model.ts';
import { callees, literal, print, type Code, type PrintOptions, type Source } from './code.ts';
import { scratchChart, type ImportContext } from './graph-plan.ts';
import { diff, type Operation } from './json-diff.ts';
import { errorSuppressions } from './error-suppressions.ts';
import { requestCode } from './request-plan.ts';
import type { Written } from './write-graph.ts';

function modelProps(doc: JsonObject): DynamoModelProps | undefined {
  const { modelName, baseModelName, modelType: type } = isObject(doc['spec']) ? doc['spec'] : {};
  const uri = valueAt(doc, 'spec', 'source', 'uri');
  if (typeof modelName !== 'string' || typeof baseModelName !== 'string') return undefined;
  if ((type === 'lora' || type === 'adapter') && typeof uri === 'string' && /^(s3|hf):\/\//.test(uri)) {
    return { modelName, baseModelName, type, uri: uri as `s3://${string}` };
  }
  return type === 'base' && uri === undefined ? { modelName, baseModelName } : undefined;
}

/** Prints `apiVersion`, `kind` and `metadata` of an object on one line. */
function objectSource(source: Source): Source {
  return source.kind === 'object' ? { ...source, head: ['apiVersion', 'kind', 'metadata'] } : source;
}

function written(callee: string, id: string, props: unknown, options: PrintOptions, patches: readonly Operation[] = []): Written {
  const made: Source = {
    kind: 'call',
    callee: `new ${callee}`,
    args: [{ kind: 'text', text: 'chart' }, literal(id).source, objectSource(literal(props).source)],
  };
  const ops = patches.map((p): Source => ({
    kind: 'call',
    callee: `JsonPatch.${p.op}`,
    args: [literal(p.path).source, ...(p.op === 'remove' ? [] : [literal(p.value).source])],
  }));
  const statement = print(made, 0, 0, options);
  const patched =
    ops.length === 0 ? statement : `${statement}.addJsonPatch(${ops.map((o) => print(o, 0, 0, options)).join(', ')})`;
  return { lines: [`${patched};`], names: [...callees(made), ...ops.flatMap(callees)] };
}

/** Writes a request, and suppressions of its errors. */
function writeRequest(code: Code, document: RenderedDocument, context: ImportContext): Written {
  const suppressed = errorSuppressions(document, context);
  if (suppressed.length === 0) return { lines: [`${print(code.source)};`], names: callees(code.source) };
  const lines = suppressed.map((s) => `request.suppress(${print(literal(s.id).source)}, ${print(literal(s.reason).source)});`);
  return {
    lines: ['{', `  const request = ${print(code.source, 2)};`, ...lines.map((l) => `  ${l}`), '}'],
    names: callees(code.source),
  };
}

/** Writes an object that is not a graph: models and requests with their classes if possible, others as `ApiObject`. */
export function writeObject(object: JsonObject, document: RenderedDocument, id: string, context: ImportContext): Written {
  const doc = withoutNulls(object);
  const chart = scratchChart(context);
  if (doc['kind'] === 'DynamoModel') {
    const props = modelProps(doc);
    if (props !== undefined && valueAt(doc, 'metadata', 'name') === id) {
      const [made] = new DynamoModel(chart, id, props).node.children;
      if (made instanceof ApiObject && isDeepStrictEqual(made.toJson(), doc))
        return written('DynamoModel', id, props, context.print);
    }
  }
  if (doc['kind'] === 'DynamoGraphDeploymentRequest' && valueAt(doc, 'metadata', 'name') === id) {
    const code = requestCode(doc, id, chart, context.platform);
    const made = code?.value.node.defaultChild;
    if (code !== undefined && made instanceof ApiObject && isDeepStrictEqual(made.toJson(), doc))
      return writeRequest(code, document, context);
  }
  return writePlain(object, id, context);
}

/** Writes an object as `ApiObject`. */
export function writePlain(object: JsonObject, id: string, context: ImportContext): Written {
  const doc = withoutNulls(object);
  const chart = scratchChart(context);
  const namespaced = valueAt(doc, 'metadata', 'namespace') === context.namespace && context.namespace !== undefined;
  const { namespace: _, ...metadata } = isObject(doc['metadata']) ? doc['metadata'] : {};
  const props = namespaced ? { ...doc, metadata } : doc;
  const made = new ApiObject(chart, id, props as unknown as ApiObjectProps);
  return written('ApiObject', id, props, context.print, diff(made.toJson(), doc));
}
