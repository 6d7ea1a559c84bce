import { functions, isTrue, print, type TemplateFunction } from './functions.ts';
import { parseTemplate, type Node, type Operand, type Pipe } from './parse.ts';

/** Named templates by name. */
type Definitions = ReadonlyMap<string, readonly Node[]>;

/** Variables of a block; those of the blocks around it are seen and can be set. */
class Scope {
  readonly #own = new Map<string, unknown>();
  readonly #around: Scope | undefined;

  constructor(around?: Scope) {
    this.#around = around;
  }

  declare(name: string, value: unknown): void {
    this.#own.set(name, value);
  }

  set(name: string, value: unknown): void {
    this.#of(name).#own.set(name, value);
  }

  get(name: string): unknown {
    return this.#of(name).#own.get(name);
  }

  #of(name: string): Scope {
    if (this.#own.has(name)) return this;
    if (this.#around === undefined) throw new Error(`no variable ${name}`);
    return this.#around.#of(name);
  }
}

/** Evaluates templates that share their definitions. */
export class Templates {
  readonly #definitions: Definitions;

  constructor(helpers: string) {
    const defined = parseTemplate(helpers).flatMap((node) => (node.kind === 'define' ? [node] : []));
    this.#definitions = new Map(defined.map(({ name, body }) => [name, body]));
  }

  /** What a template prints. */
  render(template: string, dot: unknown): string {
    return this.#body(parseTemplate(template), dot);
  }

  /** What a named template prints. */
  include(name: unknown, dot: unknown): string {
    const body = this.#definitions.get(String(name));
    if (body === undefined) throw new Error(`no template ${String(name)}`);
    return this.#body(body, dot);
  }

  /** A body of its own, where `$` is what it was given. */
  #body(nodes: readonly Node[], dot: unknown): string {
    const scope = new Scope();
    scope.declare('$', dot);
    return this.#nodes(nodes, dot, scope);
  }

  #nodes(nodes: readonly Node[], dot: unknown, around: Scope): string {
    const scope = new Scope(around);
    return nodes.map((node) => this.#node(node, dot, scope)).join('');
  }

  #node(node: Node, dot: unknown, scope: Scope): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'print':
        return print(this.#pipe(node.pipe, dot, scope));
      case 'set':
        if (node.isNew) scope.declare(node.name, this.#pipe(node.pipe, dot, scope));
        else scope.set(node.name, this.#pipe(node.pipe, dot, scope));
        return '';
      case 'if':
        return this.#nodes(isTrue(this.#pipe(node.pipe, dot, scope)) ? node.inner : node.otherwise, dot, scope);
      case 'with': {
        const value = this.#pipe(node.pipe, dot, scope);
        return isTrue(value) ? this.#nodes(node.inner, value, scope) : this.#nodes(node.otherwise, dot, scope);
      }
      case 'range':
        return this.#range(node, dot, scope);
      case 'define':
        throw new Error(`define ${node.name} inside a template`);
    }
  }

  #range({ names, pipe, inner: body }: Node & { readonly kind: 'range' }, dot: unknown, scope: Scope): string {
    const over = this.#pipe(pipe, dot, scope);
    const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(over)
      ? [...over.entries()]
      : Object.entries(over ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return entries
      .map(([key, value]) => {
        const inner = new Scope(scope);
        const [first, second] = names.length > 1 ? names : [undefined, names[0]];
        if (first !== undefined) inner.declare(first, key);
        if (second !== undefined) inner.declare(second, value);
        return this.#nodes(body, value, inner);
      })
      .join('');
  }

  #pipe(pipe: Pipe, dot: unknown, scope: Scope): unknown {
    return pipe.reduce<readonly unknown[]>((before, command) => [this.#command(command, before, dot, scope)], [])[0];
  }

  #command([head, ...rest]: readonly Operand[], before: readonly unknown[], dot: unknown, scope: Scope): unknown {
    if (head === undefined) throw new Error('an empty command');
    if (head.kind === 'function' && (head.name === 'and' || head.name === 'or'))
      return this.#junction(head.name, rest, dot, scope);
    const given = [...rest.map((operand) => this.#operand(operand, dot, scope)), ...before];
    if (head.kind === 'function') return this.#function(head.name)(...given);
    const value = this.#operand(head, dot, scope);
    if (typeof value === 'function') return value(...given);
    if (given.length > 0) throw new Error(`cannot call ${JSON.stringify(head)}`);
    return value;
  }

  /** `and` and `or` end at the operand that decides, and yield it. */
  #junction(name: 'and' | 'or', operands: readonly Operand[], dot: unknown, scope: Scope): unknown {
    let value: unknown;
    for (const operand of operands) {
      value = this.#operand(operand, dot, scope);
      if (isTrue(value) === (name === 'or')) break;
    }
    return value;
  }

  #function(name: string): TemplateFunction {
    if (name === 'include') return (template, dot) => this.include(template, dot);
    const found = functions[name];
    if (found === undefined) throw new Error(`no function ${name}`);
    return found;
  }

  #operand(operand: Operand, dot: unknown, scope: Scope): unknown {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'dot':
        return dot;
      case 'variable':
        return scope.get(operand.name);
      case 'pipe':
        return this.#pipe(operand.pipe, dot, scope);
      case 'function':
        return this.#function(operand.name)();
      case 'field': {
        const of = this.#operand(operand.of, dot, scope);
        if (typeof of !== 'object' || of === null) throw new Error(`no field ${operand.name} in ${JSON.stringify(of) ?? 'nil'}`);
        return Object.entries(of).find(([key]) => key === operand.name)?.[1];
      }
    }
  }
}
