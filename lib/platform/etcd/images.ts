import type { Issue } from '../../api/index.ts';
import { type JsonObject, listAt, type Path } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy, type Value } from '../go-values.ts';
import type { EtcdRelease } from './release.ts';

/** Where the values name images: the members, their jobs, and the init container that changes owners. */
const imagePaths: readonly (readonly string[])[] = [['image'], ['volumePermissions', 'image']];

/** Repositories the chart was made for; everything of the legacy catalogue is accepted too. */
const known: readonly string[] = ['docker.io/bitnami/etcd', 'docker.io/bitnami/os-shell'];

function registryOf({ values, context }: Pick<EtcdRelease, 'values' | 'context'>, block: Value): string {
  const everywhere = context.switches['one-registry'] ? '' : atPath(values, 'global.imageRegistry');
  return templateString(orElse(everywhere, atPath(block, 'registry')));
}

function reference(etcd: Pick<EtcdRelease, 'values' | 'context'>, block: Value): string {
  const registry = registryOf(etcd, block);
  const digest = atPath(block, 'digest');
  const name = `${templateString(atPath(block, 'repository'))}${truthy(digest) ? `@${templateString(digest)}` : `:${templateString(atPath(block, 'tag'))}`}`;
  return registry === '' ? name : `${registry}/${name}`;
}

/** Image of the members and jobs (`image`), or of the init container (`volumePermissions.image`), as pods name it. */
export function imageOf(etcd: EtcdRelease, path: 'image' | 'volumePermissions.image' = 'image'): string {
  return etcd.context.image(reference(etcd, atPath(etcd.values, path)));
}

/** Pull secrets of every pod: the global ones, then those of the images, each once. */
export function pullSecrets(etcd: EtcdRelease): JsonObject {
  const given = [
    ...listAt(atPath(etcd.values, 'global.imagePullSecrets')),
    ...imagePaths.flatMap((path) => listAt(atPath(etcd.values, ...path, 'pullSecrets'))),
  ];
  const names = new Set(given.map((entry) => templateString(typeof entry === 'object' ? atPath(entry, 'name') : entry)));
  return names.size === 0 ? {} : { imagePullSecrets: [...names].map((name) => ({ name })) };
}

function missingPieces(block: Value, path: Path): readonly Issue[] {
  const needed = truthy(atPath(block, 'digest')) ? ['repository'] : ['repository', 'tag'];
  const message = 'must not be empty: the image reference would have no meaning; leave the key out to get the default';
  return needed
    .filter((key) => !truthy(atPath(block, key)))
    .map((key) => ({ path: ['etcd', ...path, key], code: 'required', message }));
}

/** Refuses images the chart was not made for, as it does itself, unless the values allow them. */
export function checkImages(etcd: Pick<EtcdRelease, 'values' | 'context'>): {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
} {
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const allowed = truthy(atPath(etcd.values, 'global.security.allowInsecureImages'));
  for (const path of imagePaths) {
    const block = atPath(etcd.values, ...path);
    issues.push(...missingPieces(block, path));
    const where = `${registryOf(etcd, block)}/${templateString(atPath(block, 'repository'))}`;
    if (known.includes(where) || where.startsWith('docker.io/bitnamilegacy/')) continue;
    const found = { path: ['etcd', ...path], code: 'unrecognized_image' };
    const what = `${reference(etcd, block)} is not an image the chart was made for`;
    if (allowed) warnings.push({ ...found, message: what });
    else {
      const fix = 'set etcd.global.security.allowInsecureImages to true if it behaves like the original';
      issues.push({ ...found, message: `${what} (${known.join(', ')}, or anything below docker.io/bitnamilegacy/); ${fix}` });
    }
  }
  return { issues, warnings };
}
