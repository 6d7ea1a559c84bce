import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** A file of the built package, as users get it. `npm test` builds before any test runs. */
export function built(path: string): string {
  const file = resolve(import.meta.dirname, '../build', path);
  if (!existsSync(file)) throw new Error('build/ is missing: run `npm run build` first');
  return file;
}
