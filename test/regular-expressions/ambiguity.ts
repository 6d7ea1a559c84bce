import { parsePattern, type Node } from './parse-pattern.ts';

/**
 * Finds regular expressions whose time grows faster than their input. A backtracking matcher tries every way to read the input before it fails, so an
 * expression is safe when a repetition can be read in one way only. The expression becomes an automaton with one state per character class (Glushkov);
 * two different loops over one state on the same input make the time exponential, two states that both loop on an input that also leads from the one
 * to the other make it polynomial (Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers", 2016). A search
 * that is not anchored starts anew at every character, which is a loop of its own before the first state.
 */
export type Growth = 'exponential' | 'polynomial';

interface Automaton {
  /** For each state the characters it takes, as bits. */
  readonly takes: readonly bigint[];
  /** For each state the states after it, each as often as there are ways to get there. */
  readonly after: readonly (readonly number[])[];
  /** States after which the match succeeds whatever follows. */
  readonly accepting: ReadonlySet<number>;
}

interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
  /** Whether it can be passed without reading and without looking at what follows. */
  readonly passable: boolean;
}

const empty: Part = { first: [], last: [], nullable: true, passable: true };

function characters(source: string): readonly string[] {
  const named = Array.from(source, (c) => c.codePointAt(0) ?? 0);
  const escaped = [...source.matchAll(/\\[ux]\{?([0-9a-fA-F]{2,6})/g)].map(([, hex = '0']) => Number.parseInt(hex, 16));
  const near = [...named, ...escaped].flatMap((code) => [code - 1, code, code + 1]);
  const codes = [
    ...Array.from({ length: 128 }, (_, i) => i),
    0x85,
    0xa0,
    0xe9,
    0x2028,
    0x202e,
    0x4e2d,
    0xd800,
    0xfeff,
    0x1f600,
    ...near,
  ];
  return [...new Set(codes)].filter((code) => code >= 0 && code <= 0x10ffff).map((code) => String.fromCodePoint(code));
}

function build(pattern: string, flags: string): Automaton {
  const all = characters(pattern);
  const classFlags = flags.replaceAll(/[gy]/g, '');
  const known = new Map<string, bigint>();
  const bits = (source: string): bigint => {
    const before = known.get(source);
    if (before !== undefined) return before;
    const test = new RegExp(`^(?:${source})$`, classFlags);
    let mask = 0n;
    for (const [index, character] of all.entries()) if (test.test(character)) mask |= 1n << BigInt(index);
    known.set(source, mask);
    return mask;
  };
  const takes: bigint[] = [(1n << BigInt(all.length)) - 1n];
  const after: number[][] = [[]];
  const connect = (from: readonly number[], to: readonly number[]): void => {
    for (const state of from) after[state]?.push(...to);
  };
  const join = (a: Part, b: Part): Part => {
    connect(a.last, b.first);
    return {
      first: a.nullable ? [...a.first, ...b.first] : a.first,
      last: b.nullable ? [...a.last, ...b.last] : b.last,
      nullable: a.nullable && b.nullable,
      passable: a.passable && b.passable,
    };
  };
  function read(node: Node): Part {
    switch (node.kind) {
      case 'class': {
        const state = takes.push(bits(node.source)) - 1;
        after.push([]);
        return { first: [state], last: [state], nullable: false, passable: false };
      }
      case 'sequence':
        return node.nodes.map(read).reduce(join, empty);
      case 'choice': {
        const parts = node.nodes.map(read);
        return {
          first: parts.flatMap((part) => part.first),
          last: parts.flatMap((part) => part.last),
          nullable: parts.some((part) => part.nullable),
          passable: parts.some((part) => part.passable),
        };
      }
      case 'repeat': {
        // What repeats a fixed number of times does not grow with the input.
        const copies = Math.min(Math.max(node.least, 1), 2);
        let whole = read(node.node);
        for (let copy = 1; copy < copies; copy++) whole = join(whole, read(node.node));
        if (node.most > 1000) connect(whole.last, whole.first);
        const free = node.least === 0;
        return { ...whole, nullable: whole.nullable || free, passable: whole.passable || free };
      }
      case 'assertion': {
        if (node.node === undefined) return { ...empty, passable: node.source === '^' };
        // What a look-around reads belongs to no longer match: its states end there.
        const inside = read(node.node);
        return { first: inside.first, last: [], nullable: true, passable: false };
      }
    }
  }
  const tree = parsePattern(pattern);
  const whole = read(tree);
  after[0]?.push(...whole.first);
  if (!isAnchored(tree) && !flags.includes('y')) after[0]?.push(0);
  const accepting = new Set<number>(endsOf(tree, whole));
  return { takes, after, accepting };
}

/** Whether every match begins where the text does. With the flag m it may begin at every line, but then not twice in one. */
function isAnchored(node: Node): boolean {
  if (node.kind === 'assertion') return node.source === '^';
  if (node.kind === 'sequence') return node.nodes[0] !== undefined && isAnchored(node.nodes[0]);
  return node.kind === 'choice' && node.nodes.every(isAnchored);
}

/** States that may end a match, where no assertion at the end can refuse it. */
function endsOf(tree: Node, whole: Part): readonly number[] {
  const refuses = (node: Node): boolean => {
    if (node.kind === 'assertion') return true;
    if (node.kind === 'sequence') return node.nodes.at(-1) !== undefined && refuses(node.nodes.at(-1) ?? node);
    return node.kind === 'choice' && node.nodes.some(refuses);
  };
  return refuses(tree) ? [] : whole.last;
}

/** The strongly connected component of each node of a graph, by number, for nodes that lie on a loop. */
function loops(nodes: readonly number[], next: (node: number) => readonly number[]): ReadonlyMap<number, number> {
  const reach = new Map(nodes.map((node) => [node, reachable(node, next)]));
  const found = new Map<number, number>();
  for (const node of nodes) {
    if (found.has(node) || !reach.get(node)?.has(node)) continue;
    for (const other of reach.get(node) ?? []) if (reach.get(other)?.has(node)) found.set(other, node);
  }
  return found;
}

function reachable(from: number, next: (node: number) => readonly number[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const open = [...next(from)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...next(node));
  }
  return seen;
}

/** Whether one tuple of states leads to another on some input, each state staying where `allowed` says. */
function leads(
  { takes, after }: Automaton,
  from: readonly number[],
  to: readonly number[],
  allowed: readonly ((state: number) => boolean)[],
): boolean {
  const seen = new Set<string>();
  const open: (readonly number[])[] = [from];
  for (let tuple = open.pop(); tuple !== undefined; tuple = open.pop()) {
    let steps: readonly { readonly states: readonly number[]; readonly bits: bigint }[] = [{ states: [], bits: -1n }];
    for (const [index, state] of tuple.entries()) {
      const following = [...new Set(after[state])].filter((s) => allowed[index]?.(s) ?? false);
      steps = steps.flatMap(({ states, bits }) =>
        following.flatMap((s) => {
          const both = bits & (takes[s] ?? 0n);
          return both === 0n ? [] : [{ states: [...states, s], bits: both }];
        }),
      );
    }
    for (const { states } of steps) {
      if (states.every((state, index) => state === to[index])) return true;
      const key = states.join();
      if (!seen.has(key)) open.push(states);
      seen.add(key);
    }
  }
  return false;
}

/** How the time of a failing match grows with its input; undefined where it is linear. */
export function growthOf(pattern: string, flags: string): Growth | undefined {
  const automaton = build(pattern, flags);
  const { takes, after, accepting } = automaton;
  const states = takes.map((_, state) => state);
  const component = loops(states, (state) => after[state] ?? []);
  const inside = (state: number) => (other: number) => component.get(other) === component.get(state);
  const looping = states.filter((state) => component.has(state) && !accepting.has(state));
  for (const state of looping) {
    const following = (after[state] ?? []).filter(inside(state));
    if (new Set(following).size < following.length) return 'exponential';
    for (const [index, a] of following.entries())
      for (const b of following.slice(index + 1))
        if (
          ((takes[a] ?? 0n) & (takes[b] ?? 0n)) !== 0n &&
          leads(automaton, [a, b], [state, state], [inside(state), inside(state)])
        )
          return 'exponential';
  }
  const between = (p: number, q: number): ((state: number) => boolean) => {
    const fromP = reachable(p, (state) => after[state] ?? []);
    return (state) => fromP.has(state) && (state === q || reachable(state, (s) => after[s] ?? []).has(q));
  };
  for (const p of looping)
    for (const q of looping)
      if (p !== q && reachable(p, (state) => after[state] ?? []).has(q) && component.get(p) !== component.get(q))
        if (leads(automaton, [p, p, q], [p, q, q], [inside(p), between(p, q), inside(q)])) return 'polynomial';
  return undefined;
}
