import type { Issue } from '../../api/index.ts';
import { append, type JsonObject, listAt, type Path } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy, type Value } from '../go-values.ts';
import { versionLabel } from '../version-label.ts';
import { appVersion } from './defaults.ts';
import type { EtcdRelease } from './release.ts';

/** Paths of images in the values: of the members and jobs, and of the init container that changes file owners. */
const imagePaths: readonly (readonly string[])[] = [['image'], ['volumePermissions', 'image']];

/** Repositories that the chart supports; those of docker.io/bitnamilegacy are accepted too. */
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

/** Version that labels name: that of the image of the members. */
export function versionOf(etcd: Pick<EtcdRelease, 'values' | 'context'>): string {
  const { values, context } = etcd;
  return context.switches['version-labels'] ? versionLabel(context.tagOf(reference(etcd, values['image']))) : appVersion;
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
  const message = 'must not be empty: the image reference would be invalid; remove the key to use the default';
  return needed
    .filter((key) => !truthy(atPath(block, key)))
    .map((key) => ({ path: ['etcd', ...path, key], code: 'required', message }));
}

/** Rejects images that the chart does not support, as the chart does, unless the values allow them. */
export function checkImages(etcd: Pick<EtcdRelease, 'values' | 'context'>): {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
} {
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const allowed = truthy(atPath(etcd.values, 'global.security.allowInsecureImages'));
  for (const path of imagePaths) {
    const block = atPath(etcd.values, ...path);
    append(issues, missingPieces(block, path));
    const where = `${registryOf(etcd, block)}/${templateString(atPath(block, 'repository'))}`;
    if (known.includes(where) || where.startsWith('docker.io/bitnamilegacy/')) continue;
    const found = { path: ['etcd', ...path], code: 'unrecognized_image' };
    const what = `${reference(etcd, block)} is not an image that the chart supports`;
    if (allowed) warnings.push({ ...found, message: what });
    else {
      const fix = 'set etcd.global.security.allowInsecureImages to true if it behaves like the original';
      issues.push({ ...found, message: `${what} (${known.join(', ')}, or anything below docker.io/bitnamilegacy/); ${fix}` });
    }
  }
  return { issues, warnings };
}
