import type { KubernetesObject } from '../api/index.ts';
import { isObject, type Json, type JsonObject } from '../json/index.ts';
import { toYaml } from '../manifest/index.ts';
import { parseImage, sortByWave } from '../platform/index.ts';
import { mapImages } from './images.ts';
import { jsonPatch } from './json-patch.ts';
import { wireNames } from './kustomize-names.ts';
import type { Environment, GitopsInput, OutputFile, PartObjects } from './layout.ts';
import { fileName, objectFiles, platformObjects } from './object-files.ts';

/** A base per part and an overlay per environment. Overlays set images and replicas with transformers if possible, everything else with patches. */
export function kustomizeLayout(input: GitopsInput): readonly OutputFile[] {
  const parts: readonly PartObjects[] = [
    { name: 'crds', objects: input.crds },
    ...input.base.parts,
    { name: 'graphs', objects: sortByWave(input.graphs, true) },
  ].filter((p) => p.objects.length > 0);
  const bases = parts.map((p) => `../../bases/${p.name}`);
  return [
    ...parts.flatMap((p) => baseFiles(p, input.base.namespace)),
    ...input.environments.flatMap((e) => overlayFiles(e, input.base, bases)),
  ];
}

function kustomization(body: JsonObject): string {
  return toYaml({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    sortOptions: { order: 'fifo' },
    ...body,
  });
}

function baseFiles(part: PartObjects, home: string): readonly OutputFile[] {
  const folder = `bases/${part.name}`;
  const files = objectFiles(folder, part.objects, (o) => fileName(o, home));
  return [
    {
      path: `${folder}/kustomization.yaml`,
      text: kustomization({ resources: files.map((f) => f.path.slice(folder.length + 1)) }),
    },
    ...files,
  ];
}

const keyOf = (o: KubernetesObject): string => [o.apiVersion, o.kind, o.metadata.namespace ?? '', o.metadata.name].join(' ');

function overlayFiles(environment: Environment, base: Environment, bases: readonly string[]): readonly OutputFile[] {
  const folder = `overlays/${environment.name}`;
  const before = new Map(platformObjects(base).map((o) => [keyOf(o), o]));
  const after = new Map(platformObjects(environment).map((o) => [keyOf(o), o]));
  const images = imageChanges(before, after);
  const replicas = replicaChanges(before, after);
  const added = objectFiles(
    `${folder}/resources`,
    [...after.values()].filter((o) => !before.has(keyOf(o))),
    (o) => fileName(o, environment.namespace),
  );
  const patches: { readonly file: OutputFile; readonly target?: JsonObject }[] = [];
  for (const [key, object] of before) {
    const wanted = after.get(key);
    const file = `${folder}/patches/${fileName(object, environment.namespace)}`;
    if (wanted === undefined) {
      const deletion = { $patch: 'delete', apiVersion: object.apiVersion, kind: object.kind, metadata: nameOnly(object) };
      patches.push({ file: { path: file, text: toYaml(deletion) } });
      continue;
    }
    const transformed = withReplicas(
      mapImages(object, (i) => images.get(i) ?? i),
      replicas.get(key),
    );
    const operations = jsonPatch(transformed, wanted);
    if (operations.length > 0)
      patches.push({ file: { path: file, text: toYaml(operations.map((o) => ({ ...o }))) }, target: targetOf(object) });
  }
  const names = nameFiles(environment, folder);
  const text = kustomization({
    resources: [...bases, ...[...added, ...names.resources].map((f) => f.path.slice(folder.length + 1))],
    ...(images.size > 0 ? { images: imageTransformers(images) } : {}),
    ...(replicas.size > 0
      ? { replicas: [...replicas].map(([key, count]) => ({ name: before.get(key)?.metadata.name ?? '', count })) }
      : {}),
    ...(patches.length > 0
      ? {
          patches: patches.map((p) => ({
            path: p.file.path.slice(folder.length + 1),
            ...(p.target ? { target: p.target } : {}),
          })),
        }
      : {}),
    ...(names.transformers.length > 0 ? { transformers: ['names'] } : {}),
  });
  return [
    { path: `${folder}/kustomization.yaml`, text },
    ...added,
    ...names.resources,
    ...patches.map((p) => p.file),
    ...names.transformers,
  ];
}

/** Files of the transformer that updates names in strings. It has its own folder so that a kustomization on top of the overlay can refer to it. */
function nameFiles(
  environment: Environment,
  folder: string,
): { readonly resources: readonly OutputFile[]; readonly transformers: readonly OutputFile[] } {
  const { replacements, pieces } = wireNames(platformObjects(environment), environment.namespace);
  if (replacements.length === 0) return { resources: [], transformers: [] };
  const transformer = { apiVersion: 'builtin', kind: 'ReplacementTransformer', metadata: { name: 'names' }, replacements };
  return {
    resources: pieces === undefined ? [] : [{ path: `${folder}/resources/name-pieces.yaml`, text: toYaml(pieces) }],
    transformers: [
      { path: `${folder}/names/kustomization.yaml`, text: kustomization({ resources: ['replacements.yaml'] }) },
      { path: `${folder}/names/replacements.yaml`, text: toYaml(transformer) },
    ],
  };
}

function nameOnly(object: KubernetesObject): JsonObject {
  return {
    name: object.metadata.name,
    ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
  };
}

function targetOf(object: KubernetesObject): JsonObject {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : [undefined, object.apiVersion];
  return { ...(group === undefined ? {} : { group }), version, kind: object.kind, ...nameOnly(object) };
}

function imagesOf(object: KubernetesObject): readonly string[] {
  const found: string[] = [];
  mapImages(object, (image) => {
    found.push(image);
    return image;
  });
  return found;
}

type Objects = ReadonlyMap<string, KubernetesObject>;

/**
 * Image changes that apply to every container with that image. The transformer matches the image name without its tag,
 * see https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/images/.
 */
function imageChanges(before: Objects, after: Objects): ReadonlyMap<string, string> {
  const seen = new Map<string, Set<string>>();
  for (const [key, object] of before) {
    const wanted = after.get(key);
    if (!wanted) continue;
    const [old, changed] = [imagesOf(object), imagesOf(wanted)];
    if (old.length !== changed.length) continue;
    old.forEach((image, i) => seen.set(image, (seen.get(image) ?? new Set()).add(changed[i] ?? image)));
  }
  const names = [...seen.keys()].map((i) => parseImage(i).name);
  const changes = new Map<string, string>();
  for (const [image, targets] of seen) {
    const [target] = targets;
    const alone = names.filter((n) => n === parseImage(image).name).length === 1;
    if (targets.size === 1 && target !== undefined && target !== image && alone) changes.set(image, target);
  }
  return changes;
}

function imageTransformers(changes: ReadonlyMap<string, string>): readonly JsonObject[] {
  return [...changes].map(([from, to]) => {
    const [old, wanted] = [parseImage(from), parseImage(to)];
    return {
      name: old.name,
      ...(wanted.name === old.name ? {} : { newName: wanted.name }),
      ...(wanted.tag === undefined ? {} : { newTag: wanted.tag }),
      ...(wanted.digest === undefined ? {} : { digest: wanted.digest }),
    };
  });
}

const scalable = new Set(['Deployment', 'StatefulSet', 'ReplicaSet']);

function replicaChanges(before: Objects, after: Objects): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const [key, object] of before) {
    const [old, wanted] = [replicasOf(object), replicasOf(after.get(key))];
    if (scalable.has(object.kind) && typeof wanted === 'number' && old !== wanted) changes.set(key, wanted);
  }
  return changes;
}

function replicasOf(object: KubernetesObject | undefined): Json | undefined {
  return isObject(object?.['spec']) ? object['spec']['replicas'] : undefined;
}

function withReplicas(object: Json, count: number | undefined): Json {
  if (count === undefined || !isObject(object) || !isObject(object['spec'])) return object;
  return { ...object, spec: { ...object['spec'], replicas: count } };
}
