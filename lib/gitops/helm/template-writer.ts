import { append, isList, isObject, printableLines, trimEndOf, type Json } from '../../json/index.ts';
import type { Cases, Conditions } from './conditions.ts';
import type { ChartParameter, Placeholders } from './placeholders.ts';
import { quoted } from './template-quoting.ts';
import type { Folded, Guarded } from './fold-variants.ts';

/** Writes folded values as a template: YAML with `if` around lines that depend on a switch. */
export class TemplateWriter {
  readonly #conditions: Conditions;
  readonly #placeholders: Placeholders;

  constructor(conditions: Conditions, placeholders: Placeholders) {
    this.#conditions = conditions;
    this.#placeholders = placeholders;
  }

  /** Writes an object as a YAML document, inside an `if` for the cases that contain it. */
  document(guarded: Guarded): string {
    const all = this.#conditions.space.all;
    const lines = ['---', ...this.#block(guarded.node, 0, guarded.when)];
    return `${this.#guard(lines, guarded.when, all, 0).join('\n')}\n`;
  }

  #guard(lines: readonly string[], wanted: Cases, within: Cases, indent: number): readonly string[] {
    if (wanted === within) return lines;
    const pad = ' '.repeat(indent);
    return [`${pad}{{- if ${this.#conditions.expression(wanted, within)} }}`, ...lines, `${pad}{{- end }}`];
  }

  #block(node: Folded, indent: number, within: Cases): readonly string[] {
    switch (node.kind) {
      case 'literal':
        return this.#literal(node.value, indent);
      case 'map':
        return this.#runs(node.entries, indent, within, (e) => this.#entry(e.key, e.node, indent, e.when));
      case 'list':
        return this.#runs(node.items, indent, within, (i) => this.#item(i.node, indent, i.when));
      case 'choice':
        return this.#choice(node.options, indent, within, (n, w) => this.#block(n, indent, w));
    }
  }

  /** Consecutive entries of the same cases share one `if`. */
  #runs<T extends Guarded>(
    parts: readonly T[],
    indent: number,
    within: Cases,
    write: (part: T) => readonly string[],
  ): readonly string[] {
    const lines: string[] = [];
    for (let i = 0; i < parts.length;) {
      const first = parts[i];
      if (first === undefined) break;
      let end = i;
      while (parts[end]?.when === first.when) end++;
      append(lines, this.#guard(parts.slice(i, end).flatMap(write), first.when, within, indent));
      i = end;
    }
    return lines;
  }

  #choice(
    options: readonly Guarded[],
    indent: number,
    within: Cases,
    write: (node: Folded, within: Cases) => readonly string[],
  ): readonly string[] {
    const pad = ' '.repeat(indent);
    const lines: string[] = [];
    let left = within;
    for (const [i, option] of options.entries()) {
      const last = i === options.length - 1;
      lines.push(
        last && i > 0
          ? `${pad}{{- else }}`
          : `${pad}{{- ${i === 0 ? 'if' : 'else if'} ${this.#conditions.expression(option.when, left)} }}`,
      );
      append(lines, write(option.node, option.when));
      left &= ~option.when;
    }
    return [...lines, `${pad}{{- end }}`];
  }

  #entry(key: string, node: Folded, indent: number, within: Cases): readonly string[] {
    const pad = ' '.repeat(indent);
    const spliced = this.#placeholders.splicedKey(key);
    if (spliced) return this.#splice(spliced, indent);
    const name = this.#placeholders.scalar(key);
    if (node.kind === 'choice') return this.#choice(node.options, indent, within, (n, w) => this.#entry(key, n, indent, w));
    if (node.kind !== 'literal') return [`${pad}${name}:`, ...this.#block(node, indent + 2, within)];
    const whole = this.#placeholders.whole(node.value);
    if (whole)
      return [
        `${pad}{{- with ${whole.expression} }}`,
        `${pad}${name}:`,
        `${pad}  {{- toYaml . | nindent ${indent + 2} }}`,
        `${pad}{{- end }}`,
      ];
    const merged = this.#placeholders.mergedMap(node.value);
    if (merged) return [`${pad}${name}:`, `${pad}  {{- toYaml (${merged}) | nindent ${indent + 2} }}`];
    const { value } = node;
    if (typeof value === 'string' && value.includes('\n')) return this.#multiline(`${pad}${name}: `, value, indent);
    if (isBlock(value)) return [`${pad}${name}:`, ...this.#literal(value, indent + 2)];
    return this.#guarded([`${pad}${name}: ${this.#inline(value)}`], value, indent);
  }

  #item(node: Folded, indent: number, within: Cases): readonly string[] {
    if (node.kind === 'choice') return this.#choice(node.options, indent, within, (n, w) => this.#item(n, indent, w));
    const pad = ' '.repeat(indent);
    if (node.kind === 'literal') {
      const spliced = this.#placeholders.splicedItem(node.value);
      if (spliced) return this.#splice(spliced, indent);
      if (typeof node.value === 'string' && node.value.includes('\n')) return this.#multiline(`${pad}- `, node.value, indent);
      if (!isBlock(node.value)) return this.#guarded([`${pad}- ${this.#inline(node.value)}`], node.value, indent);
    }
    // the dash is on a separate line if the first key is conditional
    const lines = this.#block(node, indent + 2, within);
    const first = lines[0] ?? '';
    return first.trimStart().startsWith('{{') ? [`${pad}-`, ...lines] : [`${pad}- ${first.slice(indent + 2)}`, ...lines.slice(1)];
  }

  /** Wraps lines in the guard of the parameter in them, if there is one. */
  #guarded(lines: readonly string[], scalar: Json, indent: number): readonly string[] {
    const guard = this.#placeholders.guard(scalar);
    const pad = ' '.repeat(indent);
    return guard === undefined ? lines : [`${pad}{{- if ${guard} }}`, ...lines, `${pad}{{- end }}`];
  }

  #splice(parameter: ChartParameter, indent: number): readonly string[] {
    const pad = ' '.repeat(indent);
    return [`${pad}{{- with ${parameter.expression} }}`, `${pad}{{- toYaml . | nindent ${indent} }}`, `${pad}{{- end }}`];
  }

  /** The lines of a list or map that is not empty; an empty one is on the line of its key. */
  #literal(value: Json, indent: number): readonly string[] {
    if (isList(value)) return value.flatMap((v) => this.#item({ kind: 'literal', value: v }, indent, 0n));
    return Object.entries(isObject(value) ? value : {}).flatMap(([k, v]) =>
      v === undefined ? [] : this.#entry(k, { kind: 'literal', value: v }, indent, 0n),
    );
  }

  #inline(value: Json): string {
    if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
    return this.#placeholders.scalar(value);
  }

  /** A string of several lines as a block scalar, or quoted if a block scalar cannot represent it. */
  #multiline(head: string, text: string, indent: number): readonly string[] {
    const body = trimEndOf(text, '\n');
    const tail = text.slice(body.length);
    if (tail.length > 1 || /^\s/.test(body) || /[^\n\x20-\x7e\u00a0-\ud7ff]/.test(body) || printableLines(body) !== body)
      return [`${head}${this.#wrap(text)}`];
    const pad = ' '.repeat(indent + 2);
    return [
      `${head}|${tail === '' ? '-' : ''}`,
      ...body.split('\n').map((l) => (l === '' ? '' : `${pad}${this.#placeholders.line(l)}`)),
    ];
  }

  #wrap(text: string): string {
    return this.#placeholders.hasNone(text) ? quoted(text) : this.#placeholders.scalar(text);
  }
}

function isBlock(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
