import { DynamoGraph, Router, type DynamoChart } from '../../../../lib/graph/index.ts';
import { qwen32b } from '../qwen.ts';

/** Six prefill workers chosen by what they hold, two decode workers. */
export const qwen32bDisaggKvRouter = (chart: DynamoChart) => {
  const shared = qwen32b(chart);
  return DynamoGraph.disaggregated(chart, 'disagg-router-6p-2d', {
    ...shared,
    router: Router.kv({ resetStates: true }),
    workers: { compilationCache: true },
    prefill: {
      replicas: 6,
      podAnnotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9400', 'prometheus.io/path': '/metrics' },
    },
    decode: { replicas: 2, engine: shared.engine.with({ prefixCaching: false }) },
  });
};
