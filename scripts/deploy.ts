/**
 * `npm run deploy` installs the CRDs and the platform of `main.ts` into the cluster of the current kubeconfig; `npm run undeploy` removes the platform
 * again. With `--image` the platform runs the operator of this repository, as `npm run image` builds it.
 */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { environmentValues } from '../environment.ts';
import { crds, formatPath, type Issue, type KubernetesObject } from '../lib/api/index.ts';
import { toYaml } from '../lib/manifest/index.ts';
import { sortByWave, mergeLayers, renderPlatform, type PlatformValues } from '../lib/platform/index.ts';
import { rejectWithoutEffect, runMain } from './run-main.ts';

const usage = `usage: npm run deploy -- [--image NAME] [--dry-run]
       npm run undeploy -- [--image NAME] [--all] [--dry-run]

  --image NAME   run the operator of this repository from this image; default: the original operator
  --all          remove the namespace and the CRDs too, and with them every claim, Secret and graph
  --dry-run      print the objects and change nothing

DYNAMO_ENVIRONMENT and DYNAMO_VALUES choose the values, as in npm run synth.
`;

const options = {
  image: { type: 'string' },
  all: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The platform of `main.ts`; with an image it runs the operator of this repository, which needs no cert-manager. */
function platform(image: string | undefined): readonly KubernetesObject[] {
  const operatorValues: PlatformValues =
    image === undefined
      ? {}
      : { platform: { operator: { kind: 'dynamo-cdk8s', image }, certificates: { mode: 'self-managed' } } };
  const values = mergeLayers([...environmentValues(), { platform: { namespace: { create: true } } }, operatorValues]);
  const { objects, issues, warnings, notes } = renderPlatform(values);
  const line = ({ path, message }: Issue): string => {
    const place = path.join('.') === 'platform.operator.image' && image !== undefined ? '--image' : formatPath(path);
    return place === '' ? message : `${place}: ${message}`;
  };
  if (issues.length > 0) throw new Error(issues.map(line).join('\n'));
  for (const warning of warnings) process.stderr.write(`warning: ${line(warning)}\n`);
  for (const note of notes) process.stderr.write(`note: ${note}\n`);
  return objects;
}

function kubectl(args: readonly string[], objects: readonly KubernetesObject[] = []): string {
  const { status, stdout, error } = spawnSync('kubectl', args, {
    input: objects.map(toYaml).join('---\n'),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
  if (error) throw new Error(`cannot run kubectl: ${error.message}`);
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')} exited with ${status ?? 'a signal'}`);
  return stdout;
}

/** The objects whose API version the cluster serves; the others are reported on stderr, one line for each API version. */
function servedObjects(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const versions = new Set(kubectl(['api-versions']).split('\n'));
  const unserved = objects.filter(({ apiVersion }) => !versions.has(apiVersion));
  for (const apiVersion of new Set(unserved.map((object) => object.apiVersion))) {
    const names = unserved.filter((object) => object.apiVersion === apiVersion).map((o) => `${o.kind} ${o.metadata.name}`);
    process.stderr.write(`skipped, because the cluster does not serve ${apiVersion}: ${names.join(', ')}\n`);
  }
  return objects.filter(({ apiVersion }) => versions.has(apiVersion));
}

function main(args: readonly string[]): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const removes = positionals[0] === 'remove';
  rejectWithoutEffect(removes ? positionals.slice(1) : positionals, Object.keys(options));
  const objects = sortByWave([...crds(), ...platform(values.image)]);
  const kept = removes && !values.all ? ['Namespace', 'CustomResourceDefinition'] : [];
  const chosen = objects.filter(({ kind }) => !kept.includes(kind));
  const ordered = removes ? chosen.toReversed() : chosen;
  const command = removes ? ['delete', '--ignore-not-found'] : ['apply', '--server-side'];
  process.stdout.write(
    values['dry-run'] ? ordered.map(toYaml).join('---\n') : kubectl([...command, '-f', '-'], servedObjects(ordered)),
  );
  if (kept.length > 0) process.stderr.write('the namespace, the CRDs and all graphs are kept; --all removes them too\n');
  return 0;
}

runMain(main, 'npm run deploy -- --help');
