import type { CommandDefinition } from './command.ts';

/** A command's line in the overview and how to load it; loading is late so that start-up stays cheap. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandDefinition>;
}

/** Every command, in the order of the overview. */
export const commands: readonly CommandEntry[] = [
  { name: 'completion', summary: 'print a completion script for bash, zsh or fish', load: async () => (await import('./completion.ts')).completion },
];
