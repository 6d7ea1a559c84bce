import { findCount, listAt, type JsonObject } from '../json/index.ts';
import { engineConfig } from './engine-config.ts';
import { findFlag, flagCount, type ComponentView } from './component-view.ts';
import type { GraphView } from './graph-view.ts';
import type { LintIndex } from './lint-index.ts';

/** The parallelism of an engine: its factors and their product. */
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

/** A value of TRT-LLM. The flag overrides the engine file. Undefined when the value is unknown. */
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

/** The data-parallel ranks of vLLM in this component: all ranks, unless a flag sets the local ones. */
function vllmRanks(component: ComponentView): number | undefined {
  if (findFlag(component, '--data-parallel-rank', '--data-parallel-external-lb', '-dpn')) return 1;
  const local = findFlag(component, '--data-parallel-size-local', '-dpl');
  if (local && component.nodes === 1) return flagCount(component, 1, '--data-parallel-size-local', '-dpl');
  return flagCount(component, 1, '--data-parallel-size', '-dp');
}

/** The parallelism that a worker's flags and engine file set; undefined when it is unknown. */
export function engineParallelism(component: ComponentView, graph: GraphView, lintIndex: LintIndex): Parallelism | undefined {
  switch (component.engine) {
    case 'vllm':
      // Elastic expert parallelism adds and removes ranks at run time.
      if (findFlag(component, '--enable-elastic-ep')) return undefined;
      return product([
        ['tensor', flagCount(component, 1, '--tensor-parallel-size', '-tp')],
        ['pipeline', flagCount(component, 1, '--pipeline-parallel-size', '-pp')],
        ['data', vllmRanks(component)],
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
      const file = engineConfig(component, graph, lintIndex);
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

/** Whether a worker gets its GPUs from resource claims (dynamic resource allocation) instead of a limit. */
export function usesDeviceClaims(component: ComponentView): boolean {
  const claims = [...listAt(component.spec, 'resources', 'claims'), ...listAt(component.container, 'resources', 'claims')];
  return component.gpus === 0 && claims.length > 0;
}
