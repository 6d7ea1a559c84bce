import { Composer, Parser, type CST, type Document, type ParsedNode } from 'yaml';
import { limits, type ReadValue, type Report } from './document.ts';
import { Converter } from './yaml-convert.ts';
import { findOffset } from './yaml-offset.ts';

const options = {
  version: '1.1',
  schema: 'failsafe',
  uniqueKeys: false,
  prettyErrors: false,
  resolveKnownTags: false,
  logLevel: 'silent',
} as const;

/** Reads the documents of a YAML text as kubectl does; a document that cannot be read is reported and left out. */
export function readYaml(text: string, report: Report): readonly ReadValue[] {
  if (!checkSeparators(text, report)) return [];
  const values: ReadValue[] = [];
  const composer = new Composer(options);
  let count = 0;
  const take = (document: Document.Parsed | Document): void => {
    const read = readDocument(document, count++, report);
    if (read) values.push(read);
  };
  for (const token of new Parser().parse(text)) {
    const deep = tooDeep(token);
    if (deep !== undefined) {
      report(deep, 'too_deep', 'error', `nested deeper than ${limits.depth} levels`);
      return values;
    }
    for (const document of composer.next(token)) take(document);
  }
  for (const document of composer.end(false, text.length)) take(document);
  return values;
}

function readDocument(document: Document.Parsed | Document, index: number, report: Report): ReadValue | undefined {
  const [error] = document.errors;
  if (error) {
    report(error.pos[0], 'syntax', 'error', plainWords(error.message));
    return undefined;
  }
  const root = document.contents as ParsedNode | null;
  if (root && index > 0 && document.directives?.docStart !== true) {
    report(root.range[0], 'syntax', 'warning', 'kubectl ignores what follows "..." here; start the next document with "---"');
    return undefined;
  }
  const converter = new Converter(report);
  const value = root ? converter.convert(root) : null;
  if (value === undefined) return undefined;
  return { value, offset: (path) => findOffset(root, path, converter.anchors) };
}

/** kubectl cuts the text at lines that begin with `---` and takes nothing else on them but a comment. */
function checkSeparators(text: string, report: Report): boolean {
  const match = /^---[ \t\r]*[^ \t\r\n#]/m.exec(text);
  if (match)
    report(match.index, 'syntax', 'error', 'only a comment may follow "---" on its line: kubectl refuses such a separator');
  return !match;
}

/** The offset at which a token's nesting passes the bound; the walk has no recursion of its own. */
function tooDeep(token: CST.Token): number | undefined {
  const stack: [CST.Token, number][] = [[token, 0]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [current, depth] = top;
    if (depth > limits.depth) return current.offset;
    if (current.type === 'document' && current.value) stack.push([current.value, depth]);
    if (!('items' in current)) continue;
    for (const item of current.items) {
      if (item.key) stack.push([item.key, depth + 1]);
      if (item.value) stack.push([item.value, depth + 1]);
    }
  }
  return undefined;
}

function plainWords(message: string): string {
  const line = message.split('\n')[0] ?? '';
  return line.charAt(0).toLowerCase() + line.slice(1);
}
