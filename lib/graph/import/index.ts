/** Manifests to TypeScript: the program whose synth gives the same objects. */
export { importObjects } from './program.ts';
