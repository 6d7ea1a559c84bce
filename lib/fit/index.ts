/**
 * Sizing: the resources that rendered objects request, and whether their pods fit on given nodes. Nodes are treated as empty: running pods are not
 * counted. Pure arithmetic on plain data; nothing here renders.
 */
export { demandOf, podCounts, podRequests, type Gang, type PodDemand } from './demand.ts';
export { gpusOf, isGpuResource } from './gpu.ts';
export { hypotheticalNodes, viewNode, type NodeView } from './node.ts';
export { fitGangs, type Fit } from './place.ts';
export { formatBytes, quantityValue } from './quantity-value.ts';
export { totalsOf, type ComponentTotals, type GraphTotals } from './totals.ts';
