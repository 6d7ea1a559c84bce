/** Finds engines in command lines as the operator's patterns do, in time that grows with the length of the text only. */

/** What ends a command of a shell script. */
const commandEnd = /[|&;]/g;
const python = /python[0-9.]*[\t\n\f\r ]/g;
const moduleFlag = /-m[\t\n\f\r ]/g;
const blank = /[\t\n\f\r ]/g;

/** Where a pattern with the flag `g` ends in a text, looked for from an offset; -1 where it does not occur. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Whether one of the commands in a text runs a module of dynamo: `python[0-9.]*\s+[^|&;]*-m\s+[^|&;]*dynamo\.NAME`. */
export function launchesModule(text: string, name: string): boolean {
  return text.split(commandEnd).some((command) => {
    const launched = endOf(python, command, 0);
    const flagged = launched < 0 ? -1 : endOf(moduleFlag, command, launched);
    return flagged >= 0 && command.includes(`dynamo.${name}`, flagged);
  });
}

/**
 * A text in which every command that runs an engine has more flags, behind the word that holds the last mention of the engine:
 * `(python[0-9.]*\s+[^|&;]*NAME[^|&;]*?)(\s|$|[|&;])`.
 */
export function withEngineFlags(text: string, engine: string, flags: string): string {
  let result = '';
  let start = 0;
  for (const end of [...[...text.matchAll(commandEnd)].map(({ index }) => index), text.length]) {
    const command = text.slice(start, end);
    const launched = endOf(python, command, 0);
    const named = launched < 0 ? -1 : command.lastIndexOf(engine);
    if (named < launched || named < 0) result += command;
    else {
      const behind = endOf(blank, command, named + engine.length);
      const at = behind < 0 ? command.length : behind - 1;
      result += `${command.slice(0, at)} ${flags}${command.slice(at)}`;
    }
    result += text.slice(end, end + 1);
    start = end + 1;
  }
  return result;
}
