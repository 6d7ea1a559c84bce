/**
 * Builds the pinned programs that are not built yet.
 *
 * Usage: node --import tsx tools/build.ts [name...]; prints the path of each program, one per line.
 */
import { findTool } from './find.ts';
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
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
