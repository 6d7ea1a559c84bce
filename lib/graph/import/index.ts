/** Converts manifests to a TypeScript program whose synth writes the same objects. */
export { withoutLiveFields } from './live-fields.ts';
export { nullPaths, withStoredNulls } from './null-values.ts';
export { importDocuments } from './program.ts';
export { variableName } from './write-graph.ts';
