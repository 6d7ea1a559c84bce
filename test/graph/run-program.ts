// Runs a written program in this process: it is plain JavaScript but for its imports, so only those and the last line are replaced.
import * as cdk8s from 'cdk8s';
import * as graph from '../../lib/graph/index.ts';

/** The objects a written program makes, in their order. */
export function runProgram(source: string): readonly Record<string, unknown>[] {
  const body = source
    .replace(/^import \{ (.*) \} from 'cdk8s';$/m, 'const { $1 } = cdk8s;')
    .replace(/^import \{ (.*) \} from 'dynamo-cdk8s';$/m, 'const { $1 } = graph;')
    .replace(/^App\.of\(chart\)\.synth\(\);$/m, 'return chart;')
    .replaceAll(' as const;', ';');
  // oxlint-disable-next-line typescript/no-implied-eval -- the text under test is our own output
  const run = new Function('cdk8s', 'graph', body) as (c: typeof cdk8s, g: typeof graph) => cdk8s.Chart;
  return run(cdk8s, graph).toJson() as Record<string, unknown>[];
}
