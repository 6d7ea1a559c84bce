// Compares the lines of the TypeScript examples with the lines of the YAML they replace: `node --import tsx scripts/count-lines.ts`.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'examples');

/** The lines of a family of examples, and of the YAML they replace. */
export interface LineCount {
  readonly family: string;
  readonly authored: number;
  /** Lines of NVIDIA's manifests of the family; for recipes including their PersistentVolumeClaims and download Jobs. */
  readonly yaml: number;
  /** The largest allowed ratio of authored lines to lines of YAML. */
  readonly limit: number;
}

const families = [
  { family: 'backends', yaml: 1870, limit: 0.35 },
  { family: 'recipes', yaml: 2056 + 389, limit: 0.25 },
] as const;

/** The number of lines that are neither blank nor comments. */
export function countLines(source: string): number {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '');
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

/** The row of a family in the table of the documentation. */
export function describeCount(count: LineCount): string {
  const share = Math.round((count.authored / count.yaml) * 100);
  return `| ${count.family} | ${count.authored} | ${count.yaml} | ${share} % | ${Math.round(count.limit * 100)} % |`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const count of countFamilies()) process.stdout.write(`${describeCount(count)}\n`);
