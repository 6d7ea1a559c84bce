/**
 * Builds the pinned programs that are not there yet.
 *
 * Usage: node --import tsx tools/build.ts [name...]; prints the path of each, one a line.
 */
import { findTool } from './find.ts';
import { isToolName, toolNames } from './versions.ts';

const words = process.argv.slice(2);
const unknown = words.filter((word) => !isToolName(word));
const wanted = words.length > 0 ? words.filter(isToolName) : toolNames;

try {
  if (unknown.length > 0) throw new Error(`unknown tool ${unknown.join(', ')}; known are ${toolNames.join(', ')}`);
  for (const [index, name] of wanted.entries()) {
    const place = `tool ${index + 1} of ${wanted.length}: `;
    process.stdout.write(`${await findTool(name, process.env, process.stderr, place)}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
