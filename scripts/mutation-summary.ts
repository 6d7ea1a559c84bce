/** A tested mutant and its result. */
export interface TriedMutant {
  readonly status: string;
}

/** The 95 % Wilson score interval of a proportion, in per cent: https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval */
function interval(part: number, whole: number): readonly [number, number] {
  const z = 1.96;
  const share = part / whole;
  const middle = share + (z * z) / (2 * whole);
  const spread = z * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  const scale = 100 / (1 + (z * z) / whole);
  return [(middle - spread) * scale, (middle + spread) * scale];
}

/** How many mutants were killed, with the confidence interval of the share for the case that these are a sample. */
export function summarize(mutants: readonly TriedMutant[]): string {
  const count = (...statuses: readonly string[]): number => mutants.filter(({ status }) => statuses.includes(status)).length;
  const [killed, survived, uncovered] = [count('Killed', 'Timeout'), count('Survived'), count('NoCoverage')];
  const judged = killed + survived + uncovered;
  const [low, high] = interval(killed, judged);
  const parts = [`${killed} of ${judged} killed`, `${survived} survived`, `${uncovered} not covered`];
  const timedOut = count('Timeout');
  if (timedOut > 0) parts.push(`${timedOut} of the killed timed out`);
  if (judged < mutants.length) parts.push(`${mutants.length - judged} could not run`);
  return `${parts.join(', ')}: ${((100 * killed) / judged).toFixed(1)} %, 95 % interval ${low.toFixed(0)}-${high.toFixed(0)} %`;
}
