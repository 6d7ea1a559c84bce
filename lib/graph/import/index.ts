/** Manifests to TypeScript: the program whose synth gives the same objects. */
export { withoutLiveFields } from './live-fields.ts';
export { nullPaths, withStoredNulls } from './null-values.ts';
export { importDocuments } from './program.ts';
export { variableName } from './write-graph.ts';
