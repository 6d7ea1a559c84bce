// Writes the L1 classes of imports/ from our own CRDs with `cdk8s import`, which needs no network for a local file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateImports } from './generate/imports.ts';

const folder = new URL('../imports/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(fileURLToPath(new URL('nvidia.com.ts', folder)), generateImports());
