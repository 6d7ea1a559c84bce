/** Reads YAML and JSON as kubectl does, with source positions, and writes them. Independent of the kinds of objects. */
export { limits, type ManifestDocument, type Position, type SourceIssue } from './document.ts';
export { isPlaceholder } from './template.ts';
export { parseJson } from './json-reader.ts';
export { readManifests } from './read.ts';
export { showValue } from './show-value.ts';
export { stringifyJson } from './stringify-json.ts';
export { toYaml, toYamlDocuments } from './to-yaml.ts';
export { resolvePlain } from './scalar.ts';
