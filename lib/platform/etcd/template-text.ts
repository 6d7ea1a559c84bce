import type { Issue } from '../../api/index.ts';
import { isObject, type Json, type JsonObject, type Path } from '../../json/index.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';

/** What templates in values may refer to. */
interface TemplateScope {
  readonly values: JsonObject;
  readonly release: string;
  readonly namespace: string;
  /** Other strings by the expression that yields them, such as `.Chart.Name`. */
  readonly named: Readonly<Record<string, string>>;
}

const include = String.raw`include "[\w.]+" [.$]`;
const argument = String.raw`(?:"[^"]*"|\`[^\`]*\`|\.[\w.]+|${include})`;
const expression = new RegExp(
  String.raw`^(${argument})(?:\s*\|\s*ternary\s+(${argument})\s+(${argument}))?(?:\s*\|\s*(?:quote|toString))?$`,
);

const literalOrEnd = /["`]|\}\}/g;

/** The offset after the closing braces of a template; braces in a literal do not close it. Undefined if it is not closed. */
function templateEnd(source: string, start: number): number | undefined {
  literalOrEnd.lastIndex = start;
  for (let match = literalOrEnd.exec(source); match !== null; match = literalOrEnd.exec(source)) {
    if (match[0] === '}}') return literalOrEnd.lastIndex;
    const close = source.indexOf(match[0], literalOrEnd.lastIndex);
    if (close < 0) return undefined;
    literalOrEnd.lastIndex = close + 1;
  }
  return undefined;
}

function evaluate(term: string, scope: TemplateScope): Value {
  if (term.startsWith('"') || term.startsWith('`')) return term.slice(1, -1);
  if (term === '.Release.Name') return scope.release;
  if (term === '.Release.Namespace') return scope.namespace;
  const known = term.replace(/\$$/, '.');
  if (Object.hasOwn(scope.named, known)) return scope.named[known];
  return term.startsWith('.Values.') ? atPath(scope.values, term.slice('.Values.'.length)) : undefined;
}

/** Evaluates the templates in a string; undefined if one of them is not a value, a literal or a `ternary` of these. */
function evaluateString(source: string, scope: TemplateScope): string | undefined {
  let result = '';
  let rest = 0;
  for (let start = source.indexOf('{{'); start >= 0; start = source.indexOf('{{', rest)) {
    const end = templateEnd(source, start + 2);
    if (end === undefined) return undefined;
    const [trimsBefore, trimsAfter] = [
      /^-\s/.test(source.slice(start + 2, start + 4)),
      /^\s-$/.test(source.slice(end - 4, end - 2)),
    ];
    const text = source.slice(rest, start);
    const code = source.slice(start + (trimsBefore ? 3 : 2), end - (trimsAfter ? 3 : 2)).trim();
    const [, subject, yes, no] = expression.exec(code) ?? [];
    const value = subject === undefined ? undefined : evaluate(subject, scope);
    if (value === undefined) return undefined;
    result += trimsBefore ? text.trimEnd() : text;
    result += templateString(yes === undefined || no === undefined ? value : evaluate(truthy(value) ? yes : no, scope));
    rest = trimsAfter ? end + (source.length - end - source.slice(end).trimStart().length) : end;
  }
  return result + source.slice(rest);
}

/** Evaluates every template in a tree of values, as the etcd chart does; an unsupported template is an issue. */
export function evaluateTemplates(value: Json, scope: TemplateScope, path: Path, issues: Issue[]): Json {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return value;
    const result = evaluateString(value, scope);
    if (result !== undefined) return result;
    issues.push({
      path,
      code: 'unsupported',
      message: `the template ${JSON.stringify(value)} is not supported; write the rendered value, or {{ "{{" }} and {{ "}}" }} for braces`,
    });
    return value;
  }
  if (Array.isArray(value)) return value.map((item, index) => evaluateTemplates(item, scope, [...path, index], issues));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      field === undefined ? undefined : evaluateTemplates(field, scope, [...path, key], issues),
    ]),
  );
}
