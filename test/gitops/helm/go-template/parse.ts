/**
 * Reads Go templates, as far as the generated chart uses them: text, `if`, `with`, `range`, `define`, variables and pipelines. A chart can then be
 * evaluated without helm; `test/cluster/helm-chart.test.ts` checks that the results equal those of helm.
 */

/** What a command is made of. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | undefined }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'dot' }
  | { readonly kind: 'pipe'; readonly pipe: Pipe }
  | { readonly kind: 'field'; readonly of: Operand; readonly name: string };

/** Commands that hand their results on: the first word of each is called with the others. */
export type Pipe = readonly (readonly Operand[])[];

/** A piece of a template. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipe: Pipe }
  | { readonly kind: 'set'; readonly name: string; readonly isNew: boolean; readonly pipe: Pipe }
  | { readonly kind: 'if' | 'with'; readonly pipe: Pipe; readonly inner: readonly Node[]; readonly otherwise: readonly Node[] }
  | { readonly kind: 'range'; readonly names: readonly string[]; readonly pipe: Pipe; readonly inner: readonly Node[] }
  | { readonly kind: 'define'; readonly name: string; readonly body: readonly Node[] };

/** The words of one action. */
type Words = readonly string[];

const word = /"(?:[^"\\]|\\.)*"|:=|\)(?:\.\w+)*|[=|(,]|[.$][\w.]*|-?\d+(?:\.\d+)?|\w+|\S/g;
const action = /(\s*)\{\{(-?)\s*((?:\/\*[\s\S]*?\*\/)|(?:"(?:[^"\\]|\\.)*"|(?!-?\}\})[^"])*?)\s*(-?)\}\}(\s*)/g;

/** Text and actions in turn, white space taken away where a hyphen says so. */
function pieces(template: string): readonly (string | Words)[] {
  const out: (string | Words)[] = [];
  let at = 0;
  for (const match of template.matchAll(action)) {
    const [whole, before = '', trimBefore, body = '', trimAfter, after = ''] = match;
    out.push(template.slice(at, match.index) + (trimBefore ? '' : before));
    if (!body.startsWith('/*')) out.push(body.match(word) ?? []);
    at = match.index + whole.length - (trimAfter ? 0 : after.length);
  }
  return [...out, template.slice(at)];
}

/** Reads a template. */
export function parseTemplate(template: string): readonly Node[] {
  const left = pieces(template).toReversed();

  /** Nodes up to an `end` or `else`, and the words of that. */
  const block = (): { readonly nodes: readonly Node[]; readonly stop: Words | undefined } => {
    const nodes: Node[] = [];
    for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
      if (typeof piece === 'string') nodes.push({ kind: 'text', text: piece });
      else if (piece[0] === 'end' || piece[0] === 'else') return { nodes, stop: piece };
      else nodes.push(node(piece));
    }
    return { nodes, stop: undefined };
  };

  /** The nodes of a body that has to end, and of its `else`. */
  const body = (of: Words): { readonly inner: readonly Node[]; readonly otherwise: readonly Node[] } => {
    const { nodes, stop } = block();
    if (stop === undefined) throw new Error(`no end of ${of.join(' ')}`);
    if (stop[0] === 'end') return { inner: nodes, otherwise: [] };
    if (stop.length > 1) return { inner: nodes, otherwise: [node(stop.slice(1))] };
    return { inner: nodes, otherwise: body(stop).inner };
  };

  const node = (words: Words): Node => {
    const [head = '', second = '', ...rest] = words;
    if (head === 'define') return { kind: 'define', name: String(JSON.parse(second)), body: body(words).inner };
    if (head === 'if' || head === 'with') return { kind: head, pipe: parsePipe(words.slice(1)), ...body(words) };
    if (head === 'range') {
      const assigned = words.indexOf(':=');
      const names = words.slice(1, Math.max(assigned, 1)).filter((name) => name !== ',');
      return { kind: 'range', names, pipe: parsePipe(words.slice(Math.max(assigned, 0) + 1)), inner: body(words).inner };
    }
    if (second === ':=' || second === '=') return { kind: 'set', name: head, isNew: second === ':=', pipe: parsePipe(rest) };
    return { kind: 'print', pipe: parsePipe(words) };
  };

  const { nodes, stop } = block();
  if (stop !== undefined) throw new Error(`nothing is open for ${stop.join(' ')}`);
  return nodes;
}

/** Reads a pipeline. */
function parsePipe(words: Words): Pipe {
  const left = words.toReversed();
  /** Commands up to the end or a parenthesis, which the fields that are read from them follow. */
  const pipe = (): { readonly pipe: Pipe; readonly path: string } => {
    const commands: Operand[][] = [[]];
    let next = left.pop();
    for (; next !== undefined && !next.startsWith(')'); next = left.pop()) {
      if (next === '|') commands.push([]);
      else commands.at(-1)?.push(operand(next));
    }
    return { pipe: commands, path: next?.slice(1) ?? '' };
  };
  const operand = (text: string): Operand => {
    if (text === '(') {
      const inner = pipe();
      return fields({ kind: 'pipe', pipe: inner.pipe }, inner.path);
    }
    if (text.startsWith('.')) return fields({ kind: 'dot' }, text);
    if (text.startsWith('$')) return fields({ kind: 'variable', name: text.split('.')[0] ?? '' }, text.replace(/^\$\w*/, ''));
    if (/^["\d-]/.test(text) || text === 'true' || text === 'false') return { kind: 'literal', value: JSON.parse(text) };
    if (/^[a-zA-Z]\w*$/.test(text))
      return text === 'nil' ? { kind: 'literal', value: undefined } : { kind: 'function', name: text };
    throw new Error(`cannot read ${text} in ${words.join(' ')}`);
  };
  return pipe().pipe;
}

/** An operand and the fields read from it one after another. */
function fields(of: Operand, path: string): Operand {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce<Operand>((inner, name) => ({ kind: 'field', of: inner, name }), of);
}
