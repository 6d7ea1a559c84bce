/** A value of the chart with few meanings: one template expression per meaning, of which exactly one holds. */
interface ChartSwitch {
  readonly name: string;
  readonly tests: readonly string[];
}

/** A set of cases, one bit each. */
export type Cases = bigint;

/** Every combination of the switches' meanings; case number `i` picks `choices[i][s]` of switch `s`. */
export interface CaseSpace {
  readonly switches: readonly ChartSwitch[];
  readonly choices: readonly (readonly number[])[];
  readonly all: Cases;
}

/** Lists all combinations of the switches that `possible` admits. */
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

/** All single-switch questions: "is it this", and "is it not this" where a switch has more than two meanings. */
function literals(space: CaseSpace): readonly Literal[] {
  return space.switches.flatMap((s, at) =>
    s.tests.flatMap((text, value) => {
      let cases = 0n;
      space.choices.forEach((c, i) => (c[at] === value ? (cases |= 1n << BigInt(i)) : undefined));
      const yes = { text, cases };
      return s.tests.length > 2 ? [yes, { text: `not (${text})`, cases: space.all & ~cases }] : [yes];
    }),
  );
}

const group = (text: string): string => (/^[$.\w]+$/.test(text) ? text : `(${text})`);

/** Asks template conditions of one case space. */
export class Conditions {
  readonly space: CaseSpace;
  readonly #literals: readonly Literal[];
  readonly #known = new Map<string, string>();

  constructor(space: CaseSpace) {
    this.space = space;
    this.#literals = literals(space);
  }

  /** The shortest expression found that holds, among the cases `within`, for `wanted` and no other. */
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

  /** Divides by the switch whose answers leave the fewest open questions. */
  #split(wanted: Cases, within: Cases): string {
    let best: { readonly open: number; readonly parts: readonly Literal[] } | undefined;
    for (const s of this.space.switches) {
      const parts = this.#literals.filter((l) => s.tests.includes(l.text));
      const useful = parts.some((p) => (p.cases & within) !== 0n && (p.cases & within) !== within);
      if (!useful) continue;
      const open = parts.filter((p) => (p.cases & wanted) !== 0n && (p.cases & wanted) !== (p.cases & within)).length;
      if (best === undefined || open < best.open) best = { open, parts };
    }
    if (best === undefined) throw new Error('no switch tells these cases apart');
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
