/** The values of the platform that main.ts synthesizes. */
import { readFileSync } from 'node:fs';
import { readManifests } from './lib/manifest/index.ts';
import { platformPresets, type PlatformValues } from './lib/platform/index.ts';

const environments: Readonly<Record<string, () => PlatformValues>> = {
  dev: platformPresets.dev,
  'shared-test': platformPresets.sharedTest,
  production: () => platformPresets.production({ etcd: true }),
};

/** The environment's preset, and over it the values file that DYNAMO_VALUES names, if it does. */
export function environmentValues(): readonly PlatformValues[] {
  const name = process.env['DYNAMO_ENVIRONMENT'] ?? 'production';
  const preset = environments[name];
  if (!preset) throw new Error(`DYNAMO_ENVIRONMENT: there is no '${name}'; there are ${Object.keys(environments).join(', ')}`);
  const file = process.env['DYNAMO_VALUES'];
  if (file === undefined) return [preset()];
  const { documents, issues } = readManifests(readFileSync(file, 'utf8'), file);
  const [problem] = issues;
  if (problem) throw new Error(`${file}:${problem.line}:${problem.column} ${problem.message}`);
  return [preset(), ...documents.map((d) => d.value as PlatformValues)];
}
