import { parseAst } from 'vite';

/** A regular expression that a file writes down, and the line it stands on. */
export interface WrittenExpression {
  readonly line: number;
  readonly pattern: string;
  readonly flags: string;
}

type AstNode = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function nodes(value: unknown): readonly AstNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Stands for what a file only knows when it runs: names of flags, modules and the like. */
const someWord = 'word';

/** The text of an expression in the source, with constants of the file filled in. */
function textOf(node: unknown, constants: ReadonlyMap<string, AstNode>): string {
  if (!isNode(node)) return '';
  const { type, value, regex, name } = node;
  if (type === 'Literal' && typeof regex === 'object' && regex !== null && 'pattern' in regex) return String(regex.pattern);
  if (type === 'Literal') return String(value);
  if (type === 'Identifier') {
    const constant = constants.get(String(name));
    return constant === undefined ? someWord : textOf(constant, constants);
  }
  if (type === 'TaggedTemplateExpression') return templateOf(node['quasi'], 'raw', constants);
  return type === 'TemplateLiteral' ? templateOf(node, 'cooked', constants) : someWord;
}

function templateOf(node: unknown, form: 'raw' | 'cooked', constants: ReadonlyMap<string, AstNode>): string {
  if (!isNode(node)) return '';
  const expressions = nodes(node['expressions']);
  return nodes(node['quasis'])
    .map((quasi, index) => {
      const value: unknown = quasi['value'];
      const text = typeof value === 'object' && value !== null && form in value ? (value as Record<string, string>)[form] : '';
      return `${form === 'raw' ? text?.replaceAll('\\`', '`') : text}${index < expressions.length ? textOf(expressions[index], constants) : ''}`;
    })
    .join('');
}

/** The regular expressions in a TypeScript file: literals, and calls of `RegExp`. */
export function expressionsIn(source: string): readonly WrittenExpression[] {
  const all: AstNode[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    if (!isNode(value)) return;
    all.push(value);
    for (const member of Object.values(value)) if (typeof member === 'object') collect(member);
  };
  collect(parseAst(source, { lang: 'ts' }));
  const constants = new Map<string, AstNode>();
  for (const { type, id, init } of all) {
    const isText = isNode(init) && ['Literal', 'TemplateLiteral', 'TaggedTemplateExpression'].includes(String(init['type']));
    if (type === 'VariableDeclarator' && isNode(id) && isText) constants.set(String(id['name']), init);
  }
  return all.flatMap((node) => {
    const { type, callee, regex } = node;
    const line = source.slice(0, Number(node['start'])).split('\n').length;
    if (type === 'Literal' && typeof regex === 'object' && regex !== null && 'flags' in regex)
      return [{ line, pattern: textOf(node, constants), flags: String(regex.flags) }];
    const isCall = (type === 'NewExpression' || type === 'CallExpression') && isNode(callee) && callee['name'] === 'RegExp';
    if (!isCall) return [];
    const [pattern, flags] = nodes(node['arguments']);
    return [{ line, pattern: textOf(pattern, constants), flags: flags === undefined ? '' : textOf(flags, constants) }];
  });
}
