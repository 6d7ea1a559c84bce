/** A regular expression as a tree. Assertions of width zero are kept where they decide whether a match may fail. */
export type Node =
  | { readonly kind: 'class'; readonly source: string }
  | { readonly kind: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly kind: 'choice'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly least: number; readonly most: number }
  /** `^`, `$`, `\b`, or a look-around with what it looks for. */
  | { readonly kind: 'assertion'; readonly source: string; readonly node?: Node };

const single = /\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]{1,40}\}|c[A-Z]|k<\w{1,40}>|[^])/y;
const group = /\((?:\?(?::|<?[=!]|<\w{1,40}>))?/y;
const bounds = /\{(\d{1,9})(,(\d{0,9}))?\}/y;

/** Parses the source of a regular expression; throws where it meets what it does not know. */
export function parsePattern(source: string): Node {
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null) return undefined;
    at = pattern.lastIndex;
    return found;
  };

  function choice(): Node {
    const nodes = [sequence()];
    while (source[at] === '|') {
      at++;
      nodes.push(sequence());
    }
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: 'choice', nodes };
  }

  function sequence(): Node {
    const nodes: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(repeated(atom()));
    return { kind: 'sequence', nodes };
  }

  function repeated(node: Node): Node {
    const next = source[at];
    let limits: readonly [number, number] | undefined;
    if (next === '*' || next === '+' || next === '?') {
      at++;
      limits = [next === '+' ? 1 : 0, next === '?' ? 1 : Infinity];
    } else {
      const found = match(bounds);
      if (found !== undefined) {
        const least = Number(found[1]);
        limits = [least, found[2] === undefined ? least : found[3] === '' ? Infinity : Number(found[3])];
      }
    }
    if (limits === undefined) return node;
    if (source[at] === '?') at++;
    return { kind: 'repeat', node, least: limits[0], most: limits[1] };
  }

  function atom(): Node {
    const next = source[at] ?? '';
    if (next === '(') return grouped();
    if (next === '[') return { kind: 'class', source: bracketed() };
    if (next === '^' || next === '$') return { kind: 'assertion', source: source[at++] ?? '' };
    if (next !== '\\') {
      const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
      at += character.length;
      return { kind: 'class', source: character };
    }
    const [escape] = match(single) ?? [];
    if (escape === undefined) throw new Error(`cannot read ${source.slice(at)}`);
    if (escape === '\\b' || escape === '\\B') return { kind: 'assertion', source: escape };
    // A reference to a group may stand for anything.
    return { kind: 'class', source: /^\\(?:[1-9]|k<)/.test(escape) ? '[^]' : escape };
  }

  function grouped(): Node {
    const [open = ''] = match(group) ?? [];
    const node = choice();
    if (source[at++] !== ')') throw new Error(`no end of a group in ${source}`);
    return /[=!]$/.test(open) ? { kind: 'assertion', source: open, node } : node;
  }

  function bracketed(): string {
    const start = at++;
    while (source[at] !== ']') {
      if (at >= source.length) throw new Error(`no end of a class in ${source}`);
      at += source[at] === '\\' ? 2 : 1;
    }
    return source.slice(start, ++at);
  }

  const node = choice();
  if (at < source.length) throw new Error(`cannot read ${source.slice(at)} in ${source}`);
  return node;
}
