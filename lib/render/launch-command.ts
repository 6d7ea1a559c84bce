/** Finds engines in command lines. Matches the same as the regular expressions of the operator, but in linear time. */

/** Characters that end a command in a shell script. */
const commandEnd = /[|&;]/g;
const python = /python[0-9.]*[\t\n\f\r ]/g;
const moduleFlag = /-m[\t\n\f\r ]/g;
const blank = /[\t\n\f\r ]/g;

/** The end of the first match of a global pattern at or after an offset; -1 without a match. */
function endOf(pattern: RegExp, value: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(value) ? pattern.lastIndex : -1;
}

/** Whether a command of a shell script runs the Python module `dynamo.NAME`: `python[0-9.]*\s+[^|&;]*-m\s+[^|&;]*dynamo\.NAME`. */
export function launchesModule(script: string, name: string): boolean {
  return script.split(commandEnd).some((command) => {
    const launched = endOf(python, command, 0);
    const flagged = launched < 0 ? -1 : endOf(moduleFlag, command, launched);
    return flagged >= 0 && command.includes(`dynamo.${name}`, flagged);
  });
}

/**
 * Adds flags to every command of a shell script that runs an engine, after the argument that contains the last mention of the engine:
 * `(python[0-9.]*\s+[^|&;]*NAME[^|&;]*?)(\s|$|[|&;])`.
 */
export function withEngineFlags(script: string, engine: string, flags: string): string {
  let result = '';
  let start = 0;
  for (const end of [...[...script.matchAll(commandEnd)].map(({ index }) => index), script.length]) {
    const command = script.slice(start, end);
    const launched = endOf(python, command, 0);
    const named = launched < 0 ? -1 : command.lastIndexOf(engine);
    if (named < launched || named < 0) result += command;
    else {
      const behind = endOf(blank, command, named + engine.length);
      const at = behind < 0 ? command.length : behind - 1;
      result += `${command.slice(0, at)} ${flags}${command.slice(at)}`;
    }
    result += script.slice(end, end + 1);
    start = end + 1;
  }
  return result;
}
