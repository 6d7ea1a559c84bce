/**
 * Sizing: what rendered objects ask for, and whether it fits on given nodes. Pure arithmetic on plain data; it neither renders nor knows what
 * already runs on a node.
 */
export { demandOf, podRequests, type Gang, type PodDemand } from './demand.ts';
export { gpusOf, isGpuResource } from './gpu.ts';
export { imagineNodes, viewNode, type NodeView } from './node.ts';
export { fitGangs, type Fit } from './place.ts';
export { formatBytes, quantityValue } from './quantity-value.ts';
export { totalsOf, type ComponentTotals, type GraphTotals } from './totals.ts';
