import type { DynamoChart } from '../../../../lib/graph/index.ts';
import { wideEp } from './wide-ep.ts';

/** One node of eight GPUs on either side. */
export const dsr1Sglang8gpu = (chart: DynamoChart) => wideEp(chart, 8, { workingDir: '/workspace' });
