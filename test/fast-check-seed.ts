import { configureGlobal, readConfigureGlobal } from 'fast-check';

/** Laws are tried on the same values at every ordinary run, so that a failure is a change's; FUZZ_SEED=random tries new ones. */
if (process.env['FUZZ_SEED'] !== 'random')
  configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env['FUZZ_SEED'] ?? 20_261_116) });
