/**
 * Builds a view of a live graph from its objects (components, pods, conditions, events) and draws it as a tree. Pure: the command line reads the
 * objects. The operator uses `stuckReason`, which explains why a pod is stuck.
 */
export { drawGraph } from './draw.ts';
export { drawTree, type Branch } from './tree.ts';
export { viewLiveGraph, type GraphObjects, type LiveGraphView } from './live-graph-view.ts';
export { stuckReason } from './stuck-pod.ts';
