import type { JsonObject } from '../json/index.ts';
import { didYouMean, nearestName } from './nearest-name.ts';
import { firstReleaseOf, ownRelease } from './releases.ts';
import { apiVersion, group, kinds, type Kind, type KindDefinition } from './schema/kinds.ts';
import { decodeIssue, shown, type SchemaIssue } from './schema-issue.ts';

/** A definition together with its kind as a literal. */
export type ServedKind = KindDefinition & { readonly kind: Kind };

/**
 * What an object is by its `apiVersion` and `kind`. `dynamo`: one of our kinds. `unserved`: meant to be one, but the API server knows no such
 * kind or version. `doubtful`: has the name of one of our kinds in the group of somebody else. `other`: of another product.
 */
export type ResourceClass =
  | { readonly is: 'dynamo'; readonly served: ServedKind }
  | { readonly is: 'unserved' | 'doubtful'; readonly issue: SchemaIssue }
  | { readonly is: 'other' };

const names: readonly string[] = kinds.map((definition) => definition.kind);
const other: ResourceClass = { is: 'other' };

/** The definition of an object's kind, if the API server serves it. */
export function servedKind(value: JsonObject): ServedKind | undefined {
  return value['apiVersion'] === apiVersion ? kinds.find((definition) => definition.kind === value['kind']) : undefined;
}

/** Says what an object is; the only place that decides whether a kind is ours. */
export function classifyResource(value: JsonObject): ResourceClass {
  const served = servedKind(value);
  if (served !== undefined) return { is: 'dynamo', served };
  const { apiVersion: version, kind } = value;
  if (typeof version !== 'string' || version === '') return classifyWithoutVersion(value);
  const [groupName, versionName] = splitVersion(version);
  if (groupName === group) return classifyInGroup(kind, version, versionName);
  if (typeof kind !== 'string') return other;
  const near = nearestName(version, [apiVersion, group]) !== undefined;
  if (names.includes(kind)) {
    const issue = versionIssue(kind, version);
    return { is: near || isKubernetesGroup(groupName) ? 'unserved' : 'doubtful', issue };
  }
  return near ? unserved(kindIssue(kind)) : other;
}

function splitVersion(version: string): readonly [string, string] {
  const slash = version.indexOf('/');
  if (slash >= 0) return [version.slice(0, slash), version.slice(slash + 1)];
  return version === group ? [group, ''] : ['', version];
}

/** Groups that Kubernetes itself defines have no dot or end in k8s.io: none of them has a kind of ours. */
function isKubernetesGroup(name: string): boolean {
  return !name.includes('.') || name.endsWith('.k8s.io');
}

function classifyWithoutVersion({ apiVersion: version, kind }: JsonObject): ResourceClass {
  if (typeof kind !== 'string') return other;
  const meant = names.includes(kind) ? kind : nearestName(kind, names);
  if (meant === undefined) return other;
  if (meant !== kind) return unserved(kindIssue(kind));
  const absent = version === undefined || version === null || version === '';
  const problem = absent ? `is required; ${kind} is ${apiVersion}` : `${kind} is ${apiVersion}, got ${shown(version)}`;
  return unserved({ ...decodeIssue(['apiVersion'], problem), code: absent ? 'required' : 'version' });
}

/** The group is ours, and other products have kinds in it too (ClusterPolicy, NVIDIADriver): only what looks like ours is judged. */
function classifyInGroup(kind: JsonObject[string], version: string, versionName: string): ResourceClass {
  if (typeof kind !== 'string' || kind === '')
    return version === apiVersion
      ? unserved({ ...decodeIssue(['kind'], `is required; ${apiVersion} has ${names.join(', ')}`), code: 'required' })
      : other;
  const since = firstReleaseOf(kind, versionName);
  if (since !== undefined) {
    const served = names.includes(kind) ? `, which serves ${apiVersion}` : ', which has no such kind';
    const problem = `${kind} of ${version} is served by Dynamo ${since} and later; this is for Dynamo ${ownRelease}${served}`;
    return unserved({ ...decodeIssue(['apiVersion'], problem), code: 'version' });
  }
  if (names.includes(kind)) return unserved(versionIssue(kind, version));
  const ours = kind.startsWith('Dynamo') || nearestName(kind, names) !== undefined;
  return ours ? unserved(kindIssue(kind)) : other;
}

function unserved(issue: SchemaIssue): ResourceClass {
  return { is: 'unserved', issue };
}

function versionIssue(kind: string, version: string): SchemaIssue {
  return { ...decodeIssue(['apiVersion'], `no ${kind} in ${shown(version)}, did you mean ${apiVersion}`), code: 'version' };
}

function kindIssue(kind: string): SchemaIssue {
  const question = didYouMean(kind, names);
  const cure = question === undefined ? `; ${apiVersion} has ${names.join(', ')}` : `, ${question}`;
  return { ...decodeIssue(['kind'], `unknown kind ${shown(kind)}${cure}`), code: 'unknown_kind' };
}
