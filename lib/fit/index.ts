/**
 * Sizing: what rendered objects ask for, and whether it fits on given nodes. Pure arithmetic on plain data; it neither renders nor knows what
 * already runs on a node.
 */
export { demandOf, podRequests, type Amounts, type Gang, type PodDemand } from './demand.ts';
export { gpusOf, isGpuResource } from './gpu.ts';
export { imagineNodes, viewNode, type NodeView, type Taint } from './node.ts';
export { fitGangs, type Fit, type Missing, type Obstacle, type PodPlacement } from './place.ts';
export { formatBytes, quantityValue } from './quantity-value.ts';
export { totals, totalsOf, type ComponentTotals, type GraphTotals } from './totals.ts';
