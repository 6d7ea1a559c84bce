import { findCount, isObject, type JsonObject } from '../json/index.ts';
import { engineConfig } from './engine-config.ts';
import { findFlag, flagCount, type ComponentView } from './component-view.ts';
import type { GraphView } from './graph-view.ts';
import type { LintIndex } from './lint-index.ts';

/** How an engine spreads over GPUs: the factors and their product. */
interface Parallelism {
  readonly factors: readonly (readonly [string, number])[];
  readonly gpus: number;
}

function product(factors: readonly (readonly [string, number | undefined])[]): Parallelism | undefined {
  const known: (readonly [string, number])[] = [];
  for (const [name, value] of factors) {
    if (value === undefined) return undefined;
    known.push([name, value]);
  }
  return { factors: known, gpus: known.reduce((total, [, value]) => total * value, 1) };
}

/** A value of TRT-LLM: the flag wins over the engine file; undefined when neither can be read. */
function trtllmCount(
  component: ComponentView,
  config: JsonObject | 'none' | 'unknown',
  flag: string,
  key: string,
): number | undefined {
  if (findFlag(component, flag)) return flagCount(component, 1, flag);
  if (config === 'unknown') return undefined;
  return config === 'none' ? 1 : (findCount(config, key) ?? (config[key] === undefined ? 1 : undefined));
}

/** The GPUs a worker's own flags and engine file ask for; undefined when they cannot be read. */
export function engineParallelism(component: ComponentView, graph: GraphView, around: LintIndex): Parallelism | undefined {
  switch (component.engine) {
    case 'vllm':
      return product([
        ['tensor', flagCount(component, 1, '--tensor-parallel-size', '-tp')],
        ['pipeline', flagCount(component, 1, '--pipeline-parallel-size', '-pp')],
        ['data', flagCount(component, 1, '--data-parallel-size', '-dp')],
      ]);
    case 'sglang': {
      if (findFlag(component, '--config')) return undefined;
      return product([
        ['tensor', flagCount(component, 1, '--tp', '--tp-size', '--tensor-parallel-size')],
        ['pipeline', flagCount(component, 1, '--pp', '--pp-size', '--pipeline-parallel-size')],
      ]);
    }
    case 'trtllm': {
      if (findFlag(component, '--override-engine-args')) return undefined;
      const file = engineConfig(component, graph, around);
      const config = file.state === 'read' ? file.config : file.state === 'absent' ? 'none' : 'unknown';
      return product([
        ['tensor', trtllmCount(component, config, '--tensor-parallel-size', 'tensor_parallel_size')],
        ['pipeline', trtllmCount(component, config, '--pipeline-parallel-size', 'pipeline_parallel_size')],
      ]);
    }
    case 'mocker':
    case undefined:
      return undefined;
  }
}

/** Whether a worker takes its devices from resource claims instead of a GPU count. */
export function usesDeviceClaims(component: ComponentView): boolean {
  const resources = component.spec['resources'];
  return component.gpus === 0 && isObject(resources) && Array.isArray(resources['claims']) && resources['claims'].length > 0;
}
