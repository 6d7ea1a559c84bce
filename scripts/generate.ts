// Writes everything that is generated from the schemas of the custom resources: their types and their validators.
import { mkdirSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generate/files.ts';

const folder = new URL('../lib/api/generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(await generatedFiles())) writeFileSync(new URL(name, folder), text);
