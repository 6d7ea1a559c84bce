/**
 * A plugin of Stryker that leaves a seeded sample of the mutants on its plan, and writes the fate of each as soon as it is known. Stryker itself
 * can only choose mutants by ranges of source, which are no random sample: the ranges of blocks hold those of everything in them.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const { tried, sample, seed } = JSON.parse(process.env['MUTATION'] ?? '{}');

/** A number for each mutant that depends on the seed and on nothing else of the run, so that the same code has the same sample. */
function rank({ fileName, location: { start, end }, mutatorName, replacement }) {
  const place = `${relative(process.cwd(), fileName)}:${start.line}:${start.column}-${end.line}:${end.column}`;
  return createHash('sha256').update(`${seed} ${place} ${mutatorName} ${replacement}`).digest('hex');
}

class SampleReporter {
  /** Stryker carries out the plans that are in the list after this call. */
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
