import { randomInt } from 'node:crypto';

const given = process.env['FUZZ_SEED'];

/** Seed of random objects: the same at every ordinary run, so that a failure is a change's; FUZZ_SEED=random, as `npm run fuzz` sets it, draws a new one. */
export const fuzzSeed = given === 'random' ? randomInt(2 ** 31) : Number(given ?? 20_261_116);
