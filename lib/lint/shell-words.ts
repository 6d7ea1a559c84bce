/** One word of a shell script, after quote removal. */
export interface ShellWord {
  readonly value: string;
  /** Whether it was quoted, at least in part. */
  readonly quoted: boolean;
  /** Whether a variable in it could not be resolved. */
  readonly unresolved: boolean;
}

/** Resolves a variable of the container's environment. */
export type VariableLookup = (name: string) => string | undefined;

const variable = /^\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/;

/**
 * Splits a shell script into its simple commands, each a list of words. Supports the part of the POSIX shell language that scripts in manifests use:
 * quotes, variables, comments, and the separators of commands. https://pubs.opengroup.org/onlinepubs/9699919799/utilities/V3_chap02.html
 */
export function splitShell(script: string, lookup: VariableLookup): readonly (readonly ShellWord[])[] {
  const commands: ShellWord[][] = [[]];
  let value = '';
  let started = false;
  let quoted = false;
  let unresolved = false;
  const endWord = (): void => {
    if (started) commands.at(-1)?.push({ value, quoted, unresolved });
    value = '';
    started = quoted = unresolved = false;
  };
  const endCommand = (): void => {
    endWord();
    if (commands.at(-1)?.length !== 0) commands.push([]);
  };
  /** Expands the variable at a `$`. Returns the number of characters consumed. */
  const expand = (at: number): number => {
    const match = variable.exec(script.slice(at, at + 256));
    const resolved = match ? lookup(match[1] ?? match[2] ?? '') : undefined;
    started = true;
    if (!match) {
      if (/^\$[({]/.test(script.slice(at, at + 2))) unresolved = true;
      value += '$';
      return 1;
    }
    if (resolved === undefined) unresolved = true;
    value += resolved ?? match[0];
    return match[0].length;
  };
  for (let i = 0; i < script.length;) {
    const c = script.charAt(i);
    if (c === '\\') {
      const next = script.charAt(i + 1);
      if (next !== '\n') {
        value += next;
        started = true;
      }
      i += 2;
    } else if (c === "'") {
      const end = script.indexOf("'", i + 1);
      const stop = end < 0 ? script.length : end;
      value += script.slice(i + 1, stop);
      started = quoted = true;
      i = stop + 1;
    } else if (c === '"') {
      started = quoted = true;
      for (i += 1; i < script.length && script.charAt(i) !== '"';) {
        if (script.charAt(i) === '\\' && '"\\$`\n'.includes(script.charAt(i + 1))) {
          if (script.charAt(i + 1) !== '\n') value += script.charAt(i + 1);
          i += 2;
        } else if (script.charAt(i) === '$') i += expand(i);
        else value += script.charAt(i++);
      }
      i += 1;
    } else if (c === '$') i += expand(i);
    else if (c === '\n' || c === ';' || c === '&' || c === '|') {
      endCommand();
      i += 1;
    } else if (c === ' ' || c === '\t') {
      endWord();
      i += 1;
    } else if (c === '#' && !started) {
      const end = script.indexOf('\n', i);
      i = end < 0 ? script.length : end;
    } else {
      value += c;
      started = true;
      i += 1;
    }
  }
  endWord();
  return commands.filter((command) => command.length > 0);
}
