import type { ComponentSpec } from '../api/index.ts';
import { launchesModule } from './launch-command.ts';
import { problem, type Outcome } from './outcome.ts';
import { engineTypes } from './pod/component-type-defaults.ts';

/** The engine that a component runs; `noop` when none is configured or detected. */
export type Framework = 'vllm' | 'sglang' | 'trtllm' | 'noop';

const frameworks = ['vllm', 'sglang', 'trtllm'] as const;

/** The engines that a command line starts. */
export function launchedFrameworks(commandLine: string): readonly (typeof frameworks)[number][] {
  return frameworks.filter((name) => launchesModule(commandLine, name));
}

/** The engine that a component runs: the configured one, or the one detected in its command line. */
export function resolveFramework(component: ComponentSpec, explicit: string | undefined): Outcome<Framework> {
  if (!engineTypes.has(component.componentType ?? '')) return { value: 'noop' };
  const main = component.extraPodSpec?.mainContainer;
  const commandLine = [...(main?.command ?? []), ...(main?.args ?? [])].join(' ');
  const detected = launchedFrameworks(commandLine);
  const [first] = detected;
  if (detected.length > 1 && !explicit)
    return frameworkProblem(
      'ambiguous_framework',
      `could not determine backend framework: multiple backend frameworks detected from command: [${detected.join(' ')}] in "${commandLine}"`,
      '; set backendFramework',
    );
  if (detected.length === 1 && first !== undefined && explicit && explicit !== first)
    return frameworkProblem(
      'framework_mismatch',
      `backend framework mismatch: detected "${first}" from command but explicitly configured as "${explicit}"`,
      '; change backendFramework or the command',
    );
  const chosen = explicit || first || 'noop';
  const known = frameworks.find((name) => name === chosen);
  if (known !== undefined) return { value: known };
  return chosen === 'noop' && !explicit
    ? { value: 'noop' }
    : frameworkProblem('unknown_framework', `unsupported backend framework: ${chosen}`, '; use vllm, sglang or trtllm');
}

function frameworkProblem(code: string, message: string, advice: string): Outcome<Framework> {
  return problem(code, ['extraPodSpec', 'mainContainer'], message, advice);
}
