/** A chart value with few options: one template expression per option, exactly one of which is true. */
interface ChartSwitch {
  readonly name: string;
  readonly tests: readonly string[];
}

/** A set of cases, one bit each. */
export type Cases = bigint;

/** All combinations of the switches' options; case `i` has option `choices[i][s]` of switch `s`. */
export interface CaseSpace {
  readonly switches: readonly ChartSwitch[];
  readonly choices: readonly (readonly number[])[];
  readonly all: Cases;
}

/** Lists all combinations of the switches for which `possible` is true. */
export function caseSpace(
  switches: readonly ChartSwitch[],
  possible: (choice: readonly number[]) => boolean = () => true,
): CaseSpace {
  let choices: number[][] = [[]];
  for (const s of switches) choices = choices.flatMap((c) => s.tests.map((_, i) => [...c, i]));
  const kept = choices.filter(possible);
  return { switches, choices: kept, all: (1n << BigInt(kept.length)) - 1n };
}

interface Literal {
  readonly text: string;
  readonly cases: Cases;
}

/** Tests of single switches: each option and, if a switch has more than two, its negation. */
function literals(space: CaseSpace): readonly Literal[] {
  return space.switches.flatMap((s, at) =>
    s.tests.flatMap((text, value) => {
      let cases = 0n;
      space.choices.forEach((c, i) => (c[at] === value ? (cases |= 1n << BigInt(i)) : undefined));
      const literal = { text, cases };
      return s.tests.length > 2 ? [literal, { text: `not (${text})`, cases: space.all & ~cases }] : [literal];
    }),
  );
}

const group = (text: string): string => (/^[$.\w]+$/.test(text) ? text : `(${text})`);

/** Finds template conditions for sets of cases. */
export class Conditions {
  readonly space: CaseSpace;
  readonly #literals: readonly Literal[];
  readonly #known = new Map<string, string>();

  constructor(space: CaseSpace) {
    this.space = space;
    this.#literals = literals(space);
  }

  /** Returns the shortest expression found that, among the cases `within`, is true for `wanted` and false for all others. */
  expression(wanted: Cases, within: Cases): string {
    const key = `${wanted}/${within}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = this.#single(wanted, within) ?? this.#pair(wanted, within) ?? this.#split(wanted, within);
    this.#known.set(key, text);
    return text;
  }

  #single(wanted: Cases, within: Cases): string | undefined {
    return this.#literals.find((l) => (l.cases & within) === wanted)?.text;
  }

  #pair(wanted: Cases, within: Cases): string | undefined {
    for (const [i, a] of this.#literals.entries())
      for (const b of this.#literals.slice(i + 1)) {
        if ((a.cases & b.cases & within) === wanted) return `and ${group(a.text)} ${group(b.text)}`;
        if (((a.cases | b.cases) & within) === wanted) return `or ${group(a.text)} ${group(b.text)}`;
      }
    return undefined;
  }

  /** Splits the cases by the switch that leaves the fewest options undecided. */
  #split(wanted: Cases, within: Cases): string {
    let best: { readonly undecided: number; readonly parts: readonly Literal[] } | undefined;
    for (const s of this.space.switches) {
      const parts = this.#literals.filter((l) => s.tests.includes(l.text));
      const useful = parts.some((p) => (p.cases & within) !== 0n && (p.cases & within) !== within);
      if (!useful) continue;
      const undecided = parts.filter((p) => (p.cases & wanted) !== 0n && (p.cases & wanted) !== (p.cases & within)).length;
      if (best === undefined || undecided < best.undecided) best = { undecided, parts };
    }
    if (best === undefined) throw new Error('no switch distinguishes these cases');
    const terms = best.parts
      .filter((p) => (p.cases & wanted) !== 0n)
      .map((p) =>
        (p.cases & wanted) === (p.cases & within)
          ? p.text
          : `and ${group(p.text)} ${group(this.expression(p.cases & wanted, p.cases & within))}`,
      );
    return terms.length === 1 ? (terms[0] ?? '') : `or ${terms.map(group).join(' ')}`;
  }
}
