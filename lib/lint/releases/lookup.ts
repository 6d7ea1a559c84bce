import { annotationSpans, moduleSpans } from './names.ts';
import { programFlagSpans } from './program-flags.ts';
import { spansByName, type Span } from '../../api/index.ts';
import { workerFlagSpans } from './worker-flags.ts';

/** The release that lint assumes without one given: the one this package renders. */
export const targetRelease = '0.9.0';

const flags = new Map(
  Object.entries({ ...programFlagSpans, ...workerFlagSpans }).map(([module, table]) => [module, spansByName(table)]),
);
const modules = spansByName(moduleSpans);
const annotations = spansByName(annotationSpans);

/** A module under the name its flags are listed by: `dynamo.vllm.main` is `dynamo.vllm`. */
export function canonicalModule(module: string): string {
  const full = module === 'planner_sla' ? 'dynamo.planner.planner_sla' : module;
  return full.replace(/\.(?:unified_)?main$/, '');
}

/** The releases whose module takes a flag, written with its dashes; undefined when the flag is not Dynamo's own. */
export function flagSpan(module: string, flag: string): Span | undefined {
  return flags.get(canonicalModule(module))?.get(flag.replace(/^--/, '').replaceAll('_', '-'));
}

/** The releases that have a module; undefined when it is not Dynamo's. */
export function moduleSpan(module: string): Span | undefined {
  return modules.get(module === 'planner_sla' ? 'dynamo.planner.planner_sla' : module);
}

/** The releases whose operator reads an annotation. */
export function annotationSpan(annotation: string): Span | undefined {
  return annotation.startsWith('nvidia.com/') ? annotations.get(annotation.slice('nvidia.com/'.length)) : undefined;
}
