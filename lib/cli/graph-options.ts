/** Options of every command that checks or renders graphs. */
import { Option, type Command } from 'commander';
import { orchestratorGroups } from '../check/index.ts';
import { parseNamespace } from './option-values.ts';

/** Adds the option `-n` to a command that reads graphs. */
export function addNamespaceOption(command: Command): Command {
  return command.option('-n, --namespace <name>', 'namespace of objects that set none', parseNamespace, 'default');
}

/** The option `--orchestrator`. */
export function orchestratorOption(): Option {
  const option = new Option('--orchestrator <name>', 'orchestrator of components that span nodes');
  return option.choices(Object.keys(orchestratorGroups));
}
