/**
 * Builds the pinned programs that are not built yet, and Grove if the corpus has it.
 *
 * Usage: node --import tsx tools/build.ts [name...]; prints the path of each program, one per line.
 */
import { findTool } from './find.ts';
import { findGrove, groveFolder } from './grove.ts';
import { isToolName, toolNames } from './versions.ts';

const args = process.argv.slice(2);
const unknown = args.filter((name) => !isToolName(name));
const wanted = args.length > 0 ? args.filter(isToolName) : toolNames;

try {
  if (unknown.length > 0) throw new Error(`unknown tool ${unknown.join(', ')}; known are ${toolNames.join(', ')}`);
  for (const [index, name] of wanted.entries()) {
    const prefix = `tool ${index + 1} of ${wanted.length}: `;
    process.stdout.write(`${await findTool(name, process.env, process.stderr, prefix)}\n`);
  }
  if (args.length === 0 && groveFolder !== undefined) process.stdout.write(`${await findGrove(groveFolder)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
