import type { DynamoChart } from '../../../../lib/graph/index.ts';
import { wideEp } from './wide-ep.ts';

/** Two nodes of eight GPUs on either side. */
export const dsr1Sglang16gpu = (chart: DynamoChart) =>
  wideEp(chart, 16, { workingDir: '/sgl-workspace/dynamo', skipTokenizerInit: true });
