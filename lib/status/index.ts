/**
 * What a live graph looks like to a person: the objects of a graph in, a view of its components, pods, conditions and events out. Pure: the
 * command line reads the objects, the operator takes from here why a pod is stuck.
 */
export { drawGraph } from './draw.ts';
export { drawTree, type Branch } from './tree.ts';
export { viewGraph, type GraphObjects, type GraphView } from './graph-view.ts';
export { stuckReason } from './stuck-pod.ts';
