import { annotationSpans, moduleSpans } from './names.ts';
import { programFlagSpans } from './program-flags.ts';
import { spansByName, type Span } from '../../api/index.ts';
import { workerFlagSpans } from './worker-flags.ts';

/** The release that lint assumes by default: the one that this package renders. */
export const targetRelease = '0.9.0';

const flags = new Map(
  Object.entries({ ...programFlagSpans, ...workerFlagSpans }).map(([module, table]) => [module, spansByName(table)]),
);
const modules = spansByName(moduleSpans);
const annotations = spansByName(annotationSpans);

/** The module name in the flag tables: `dynamo.vllm` for `dynamo.vllm.main`. */
export function canonicalModule(module: string): string {
  const full = module === 'planner_sla' ? 'dynamo.planner.planner_sla' : module;
  return full.replace(/\.(?:unified_)?main$/, '');
}

/** The releases in which a module accepts a flag, written with its dashes; undefined when the flag is not defined by Dynamo. */
export function flagSpan(module: string, flag: string): Span | undefined {
  return flags.get(canonicalModule(module))?.get(flag.replace(/^--/, '').replaceAll('_', '-'));
}

/** The releases that contain a module; undefined when it is not a Dynamo module. */
export function moduleSpan(module: string): Span | undefined {
  return modules.get(module === 'planner_sla' ? 'dynamo.planner.planner_sla' : module);
}

/** The releases whose operator reads an annotation. */
export function annotationSpan(annotation: string): Span | undefined {
  return annotation.startsWith('nvidia.com/') ? annotations.get(annotation.slice('nvidia.com/'.length)) : undefined;
}
