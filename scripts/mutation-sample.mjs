/**
 * A Stryker plugin that tests a seeded random sample of the mutants, and writes the result of each as soon as it is known. Stryker itself can only
 * select mutants by source range, which is not a random sample: the range of a block includes all mutants in it.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const { tried, sample, seed } = JSON.parse(process.env['MUTATION'] ?? '{}');

/** A sort key that depends only on the seed and the mutant, so that the same code has the same sample. */
function rank({ fileName, location: { start, end }, mutatorName, replacement }) {
  const position = `${relative(process.cwd(), fileName)}:${start.line}:${start.column}-${end.line}:${end.column}`;
  return createHash('sha256').update(`${seed} ${position} ${mutatorName} ${replacement}`).digest('hex');
}

class SampleReporter {
  /** Stryker runs the plans that are in the list after this call. */
  onMutationTestingPlanReady({ mutantPlans }) {
    const plans = mutantPlans.filter(({ mutant }) => mutant.status !== 'Ignored');
    const ranked = plans.map((plan) => ({ plan, rank: rank(plan.mutant) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
    const chosen = ranked.slice(0, sample ?? ranked.length).map(({ plan }) => plan);
    console.log(`${chosen.length} of ${plans.length} mutants, seed ${seed}`);
    mutantPlans.splice(0, mutantPlans.length, ...chosen);
  }

  onMutantTested({ fileName, location, mutatorName, replacement, status, static: isStatic, killedBy, statusReason }) {
    const file = relative(process.cwd(), fileName);
    const { line, column } = location.start;
    mkdirSync(dirname(tried), { recursive: true });
    const mutant = {
      status,
      file,
      line,
      column,
      mutatorName,
      replacement,
      isStatic,
      killedBy,
      reason: statusReason?.slice(0, 300),
    };
    appendFileSync(tried, `${JSON.stringify(mutant)}\n`);
  }
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'sample', injectableClass: SampleReporter }];
