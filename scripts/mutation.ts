/**
 * `npm run mutation -- lib/fit lib/render/hash.ts`: changes the code in small ways and tells which changes no test notices. Without words it goes
 * through every pure layer, which takes hours; results of earlier runs are used again where neither code nor tests changed.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

const words = process.argv.slice(2);
const missing = words.filter((word) => statSync(word, { throwIfNoEntry: false }) === undefined);
if (missing.length > 0) {
  console.error(`no such file or folder: ${missing.join(', ')}; name folders or files of lib, such as lib/fit`);
  process.exit(1);
}
const patterns = words.map((word) => (statSync(word).isDirectory() ? `${word.replace(/\/$/, '')}/**/*.ts` : word));
const argv = ['stryker', 'run', ...(patterns.length > 0 ? ['--mutate', patterns.join(',')] : [])];
process.exitCode = spawnSync('npx', argv, { stdio: 'inherit' }).status ?? 1;
