/**
 * Shows a live graph to a person: takes the objects of a graph, returns a view of its components, pods, conditions and events. Pure: the command
 * line reads the objects. The operator uses the part that explains why a pod is stuck.
 */
export { drawGraph } from './draw.ts';
export { drawTree, type Branch } from './tree.ts';
export { viewGraph, type GraphObjects, type GraphView } from './graph-view.ts';
export { stuckReason } from './stuck-pod.ts';
