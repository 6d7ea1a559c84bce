/** The values of the platform that main.ts synthesizes. */
import { readFileSync } from 'node:fs';
import { readManifests } from './lib/manifest/index.ts';
import { platformPresets, type PlatformValues } from './lib/platform/index.ts';

const environments: Readonly<Record<string, () => PlatformValues>> = {
  dev: platformPresets.dev,
  'shared-test': platformPresets.sharedTest,
  production: () => platformPresets.production({ etcd: true }),
};

/** The preset of DYNAMO_ENVIRONMENT and the values file of DYNAMO_VALUES, if set; later values override earlier ones. */
export function environmentValues(): readonly PlatformValues[] {
  const name = process.env['DYNAMO_ENVIRONMENT'] ?? 'production';
  const preset = environments[name];
  if (!preset) throw new Error(`DYNAMO_ENVIRONMENT: must be one of ${Object.keys(environments).join(', ')}, got '${name}'`);
  const file = process.env['DYNAMO_VALUES'];
  if (file === undefined) return [preset()];
  const { documents, issues } = readManifests(readFileSync(file, 'utf8'), file);
  const [problem] = issues;
  if (problem) throw new Error(`${file}:${problem.line}:${problem.column} ${problem.message}`);
  return [preset(), ...documents.map((d) => d.value as PlatformValues)];
}
