import { isObject, type Json, type Path, setKey } from '../json/index.ts';
import { limits, type ManifestDocument, type Manifests, type ReadValue, type ReportIssue, type SourceIssue } from './document.ts';
import { readJson } from './json-reader.ts';
import { lineFinder } from './lines.ts';
import { findTemplateAction } from './template.ts';
import { readYaml } from './yaml-reader.ts';

/** Reads a manifest as kubectl does: several YAML or JSON documents, Lists replaced by their items, empty documents skipped. */
export function readManifests(text: string, file: string): Manifests {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const position = lineFinder(source);
  const issues: SourceIssue[] = [];
  const report: ReportIssue = (offset, code, severity, message) => {
    if (issues.length < limits.issues) issues.push({ file, ...position(offset), code, severity, message });
  };
  const values = readValues(source, report);
  const documents: ManifestDocument[] = [];
  for (const { value, offset } of values) {
    if (value === null) continue;
    flatten(
      value,
      [],
      (item, prefix) =>
        documents.push({ file, value: item, position: (path) => position(offset(prefix.length ? [...prefix, ...path] : path)) }),
      (path, kind) => {
        if (kind === undefined)
          report(
            offset(path),
            'invalid_value',
            'error',
            'items must be a list: kubectl treats every object that has items as a list',
          );
        else
          report(
            offset(path),
            'not_a_list',
            'warning',
            `kubectl treats a ${kind} with items as a list and ignores its other fields`,
          );
      },
    );
  }
  const action = issues.some(({ severity }) => severity === 'error') ? findTemplateAction(source) : undefined;
  if (action !== undefined) return { documents: [], issues: [{ file, ...position(action), ...unrendered }] };
  return { documents, issues: issues.sort((a, b) => a.line - b.line || a.column - b.column) };
}

const unrendered = {
  code: 'template',
  severity: 'error',
  message: 'this is a Helm template, not YAML yet; render it first, for instance with helm template',
} as const;

function readValues(text: string, report: ReportIssue): readonly ReadValue[] {
  const json = /^(?:[^\S\ufeff]|\u0085)*\{/.test(text);
  const size = json ? limits.jsonSize : limits.yamlSize;
  if (text.length > size) {
    report(0, 'too_large', 'error', tooLarge(text.length, size));
    return [];
  }
  if (!json) return readYaml(text, 0, report);
  const { values, rest } = readJson(text, report);
  return rest === undefined ? values : [...values, ...readAfterJson(text, values.length, rest, report)];
}

/**
 * Reads what follows JSON. kubectl switches to YAML after at most one JSON value; after two it accepts only JSON. It first skips whitespace up to
 * the end of the line, and fails if fewer than four bytes follow (`YAMLOrJSONDecoder` of k8s.io/apimachinery/pkg/util/yaml).
 */
function readAfterJson(text: string, count: number, rest: number, report: ReportIssue): readonly ReadValue[] {
  const next = rest + (/^(?:[^\S\n\ufeff]|\u0085)*/.exec(text.slice(rest))?.[0].length ?? 0);
  const start = text[next] === '\n' ? next + 1 : next;
  if (count > 1) report(start, 'syntax', 'error', 'not JSON: after two JSON values kubectl accepts only JSON');
  else if (new TextEncoder().encode(text.slice(next, next + 4)).length < 4)
    report(start, 'syntax', 'error', 'kubectl cannot read fewer than 4 bytes after JSON; remove them');
  else if (text.length - start > limits.yamlSize)
    report(start, 'too_large', 'error', `not JSON, and ${tooLarge(text.length - start, limits.yamlSize)}`);
  else return readYaml(text, start, report);
  return [];
}

function tooLarge(length: number, limit: number): string {
  return `${(length / (1 << 20)).toFixed(1)} MiB is more than the ${limit >> 20} MiB that are read from one file; split it`;
}

/**
 * Replaces a list by its items as kubectl does: every object with a top-level `items` is a list, even a ConfigMap
 * (`UnstructuredJSONScheme` of k8s.io/apimachinery). An item without `apiVersion` and `kind` takes those of the list.
 */
function flatten(
  value: Json,
  prefix: Path,
  add: (item: Json, prefix: Path) => void,
  /** Called with the path of `items` that are not a list, and also with the kind of an object that is probably not meant as a list. */
  reportItems: (path: Path, kind?: string) => void,
): void {
  if (!isObject(value) || !Object.hasOwn(value, 'items')) {
    add(value, prefix);
    return;
  }
  const items: Json = value['items'] ?? [];
  const path = [...prefix, 'items'];
  if (!Array.isArray(items)) {
    reportItems(path);
    return;
  }
  const listKind = typeof value['kind'] === 'string' ? value['kind'] : '';
  const kind = listKind.replace(/List$/, '');
  if (listKind !== '' && kind === listKind) reportItems(path, kind);
  items.forEach((item: Json, index) => flatten(withType(item, value['apiVersion'], kind), [...path, index], add, reportItems));
}

function withType(item: Json, apiVersion: Json | undefined, kind: string): Json {
  if (
    !isObject(item) ||
    kind === '' ||
    item['kind'] !== undefined ||
    item['apiVersion'] !== undefined ||
    apiVersion === undefined
  )
    return item;
  const typed: Record<string, Json> = { apiVersion, kind };
  for (const [key, member] of Object.entries(item)) if (member !== undefined) setKey(typed, key, member);
  return typed;
}
