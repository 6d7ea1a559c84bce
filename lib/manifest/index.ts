/** Text to plain data and back, as kubectl reads and writes it, with source positions. Knows nothing of any kind. */
export { limits, type ManifestDocument, type Position, type SourceIssue } from './document.ts';
export { isPlaceholder } from './template.ts';
export { parseJson } from './json-reader.ts';
export { readManifests } from './read.ts';
export { showValue } from './show-value.ts';
export { stringifyJson } from './stringify-json.ts';
export { toYaml, toYamlDocuments } from './to-yaml.ts';
export { resolvePlain } from './scalar.ts';
