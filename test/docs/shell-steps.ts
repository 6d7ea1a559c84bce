/**
 * Reads from a page of documentation what a reader would type, in order: shell blocks, files to write, commands in tables.
 *
 * Comments just above a block say what is special about it, and readers do not see them:
 * `<!-- not run: reason -->` it needs something that tests cannot have; `<!-- file: path -->` its text is the content of that file;
 * `<!-- fails: text -->` it ends with an error that says so; `<!-- played: name -->` somebody who is not there is played first;
 * `<!-- prints -->` its lines are in what the block before it printed.
 */

/** Something a reader does, or sees. */
export interface Step {
  readonly kind: 'run' | 'not run' | 'file' | 'prints';
  /** Commands, content or expected lines. */
  readonly text: string;
  /** Line of the page, from 1. */
  readonly line: number;
  /** Reason, path or nothing, by kind. */
  readonly detail: string;
  /** What the error must say, for a command that must fail. */
  readonly fails?: string;
  /** Who is played before the commands run. */
  readonly played?: string;
}

const comment = /^<!-- (not run|file|fails|played|prints)(?:: (.*?))? -->$/;
const fence = /^```([a-z]*)(.*)$/;
const programs = ['dynamo-cdk8s', 'kubectl', 'helm', 'kustomize', 'npm', 'npx', 'git', 'openssl', 'node'] as const;
const command = new RegExp(`^(?:${programs.join('|')}) \\S`);

/** Commands of a line: code spans that begin with the name of a program and say more than what it is called. */
function commandsOf(line: string): readonly string[] {
  const spans = [...line.matchAll(/``\s?(.+?)\s?``|`([^`]+)`/g)].map(([, double, single]) => double ?? single ?? '');
  return spans
    .map((span) => span.replaceAll('\\|', '|'))
    .filter((span) => command.test(span) && (span.split(' ').length > 2 || span.startsWith('npm ')));
}

/** Commands in running text that are long enough to be typed, and thus belong in a block or a table. */
export function strayCommands(page: string): readonly string[] {
  const outside = page.replaceAll(/^```[\s\S]*?^```/gm, '').split('\n');
  return outside
    .filter((line) => !line.startsWith('|'))
    .flatMap(commandsOf)
    .filter((span) => span.split(' ').length > 3 || span.startsWith('npm '));
}

/** The steps of a page. Blocks of other languages than sh are for reading only, unless a comment says otherwise. */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  const lines = page.split('\n');
  let directives = new Map<string, string>();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const directive = comment.exec(line.trim());
    if (directive !== null) directives.set(directive[1] ?? '', directive[2] ?? '');
    const opened = fence.exec(line);
    if (opened !== null) {
      const end = lines.indexOf('```', index + 1);
      if (end < 0) throw new Error(`line ${index + 1}: the block has no end`);
      const text = lines.slice(index + 1, end).join('\n');
      const step = blockStep(opened[1] ?? '', text, index + 1, directives);
      if (step !== undefined) steps.push(step);
      index = end;
    } else if (line.startsWith('|')) {
      for (const text of commandsOf(line)) steps.push(tableStep(text, index + 1, directives));
      continue;
    }
    if (directive === null && line.trim() !== '') directives = new Map();
  }
  return steps;
}

/** Verbs of this repository would build and test it within its own tests; another test checks that they exist. */
function tableStep(text: string, line: number, directives: ReadonlyMap<string, string>): Step {
  const notRun = text.startsWith('npm ') ? 'a verb of this repository' : directives.get('not run');
  return { kind: notRun === undefined ? 'run' : 'not run', text, line, detail: notRun ?? '' };
}

const shells = new Set(['sh', 'bash', 'shell', 'console', 'zsh']);

function blockStep(language: string, text: string, line: number, directives: ReadonlyMap<string, string>): Step | undefined {
  const [file, notRun] = [directives.get('file'), directives.get('not run')];
  if (file !== undefined) return { kind: 'file', text: `${text}\n`, line, detail: file };
  if (directives.has('prints')) return { kind: 'prints', text, line, detail: '' };
  if (!shells.has(language)) return undefined;
  if (notRun !== undefined) return { kind: 'not run', text, line, detail: notRun };
  const [fails, played] = [directives.get('fails'), directives.get('played')];
  return {
    kind: 'run',
    text,
    line,
    detail: '',
    ...(fails === undefined ? {} : { fails }),
    ...(played === undefined ? {} : { played }),
  };
}
