// Writes everything that is generated from the schemas: types and validators. `--check` writes nothing and fails when a file is out of date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { renderTypes } from './generate/types.ts';

const folder = new URL('../lib/api/generated/', import.meta.url);
const files: Readonly<Record<string, string>> = { 'types.ts': renderTypes() };

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, folder), text);
