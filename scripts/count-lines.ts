// Counts the lines an author writes for the examples against the lines of the YAML they replace: `node --import tsx scripts/count-lines.ts`.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'examples');

/** How much of the YAML of a family of examples is still to be written. */
export interface LineCount {
  readonly family: string;
  readonly authored: number;
  /** Lines of NVIDIA's manifests of the family; for recipes with the claims and download Jobs beside them. */
  readonly yaml: number;
  readonly limit: number;
}

const families = [
  { family: 'backends', yaml: 1870, limit: 0.35 },
  { family: 'recipes', yaml: 2056 + 389, limit: 0.25 },
] as const;

/** Lines that are neither blank nor comment. */
export function countLines(text: string): number {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '');
  return code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}

/** Counts every family; imports and shared files count too. */
export function countFamilies(): readonly LineCount[] {
  return families.map((family) => {
    const folder = join(root, family.family);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));
    return { ...family, authored: files.reduce((sum, f) => sum + countLines(readFileSync(join(folder, f), 'utf8')), 0) };
  });
}

/** One line for each family, as the documentation shows it. */
export function describeCount(count: LineCount): string {
  const share = Math.round((count.authored / count.yaml) * 100);
  return `| ${count.family} | ${count.authored} | ${count.yaml} | ${share} % | ${Math.round(count.limit * 100)} % |`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const count of countFamilies()) process.stdout.write(`${describeCount(count)}\n`);
