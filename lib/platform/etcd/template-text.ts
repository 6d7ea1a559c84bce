import type { Issue } from '../../api/index.ts';
import { isObject, type Json, type JsonObject, type Path } from '../../json/index.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';

/** What templates inside values may name. */
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

/** One template, with the blanks around it where a dash takes them; braces inside a literal do not end it. */
const template = /(?:\s*\{\{-\s+|\{\{\s*)((?:"[^"]*"|`[^`]*`|[^"`])*?)(?:\s+-\}\}\s*|\s*\}\})/g;

function evaluate(term: string, scope: TemplateScope): Value {
  if (term.startsWith('"') || term.startsWith('`')) return term.slice(1, -1);
  if (term === '.Release.Name') return scope.release;
  if (term === '.Release.Namespace') return scope.namespace;
  const known = term.replace(/\$$/, '.');
  if (Object.hasOwn(scope.named, known)) return scope.named[known];
  return term.startsWith('.Values.') ? atPath(scope.values, term.slice('.Values.'.length)) : undefined;
}

/** Prints the templates in a text; undefined when one of them is more than a value, a literal or a choice between two. */
function printed(source: string, scope: TemplateScope): string | undefined {
  let understood = true;
  const result = source.replaceAll(template, (_, code: string) => {
    const [, subject, yes, no] = expression.exec(code) ?? [];
    const value = subject === undefined ? undefined : evaluate(subject, scope);
    if (value === undefined) understood = false;
    return templateString(yes === undefined || no === undefined ? value : evaluate(truthy(value) ? yes : no, scope));
  });
  return understood ? result : undefined;
}

/** Prints every template in a tree of values, as the etcd chart does; what is not understood is an issue. */
export function printTemplates(value: Json, scope: TemplateScope, path: Path, issues: Issue[]): Json {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return value;
    const result = printed(value, scope);
    if (result !== undefined) return result;
    issues.push({
      path,
      code: 'unsupported',
      message: `the template ${JSON.stringify(value)} is not supported; write the rendered value, or {{ "{{" }} and {{ "}}" }} for braces`,
    });
    return value;
  }
  if (Array.isArray(value)) return value.map((item, index) => printTemplates(item, scope, [...path, index], issues));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      field === undefined ? undefined : printTemplates(field, scope, [...path, key], issues),
    ]),
  );
}
