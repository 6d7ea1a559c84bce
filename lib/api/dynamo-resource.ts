import type { JsonObject } from '../json/index.ts';
import { didYouMean, nearestName } from './nearest-name.ts';
import { groupOf } from './object-identity.ts';
import { firstReleaseOf, ownRelease } from './releases.ts';
import { apiVersion, group, kinds, type Kind, type KindDefinition } from './schema/kinds.ts';
import { decodeIssue, shown, type SchemaIssue } from './schema-issue.ts';

/** The definition of a kind that the API server serves. */
export type ServedKind = KindDefinition & { readonly kind: Kind };

/**
 * The class of an object by its `apiVersion` and `kind`. `dynamo`: one of our kinds. `unserved`: probably meant as one, but the API server serves
 * no such kind or version. `doubtful`: the name of one of our kinds, or one like it, in another API group, or an unknown kind in our API version.
 * `other`: a kind of another product.
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

/** Classifies an object. No other code decides whether a kind is ours. */
export function classifyResource(value: JsonObject): ResourceClass {
  const served = servedKind(value);
  if (served !== undefined) return { is: 'dynamo', served };
  const { apiVersion: version, kind } = value;
  if (typeof version !== 'string' || version === '') return classifyWithoutVersion(value);
  const [groupName, versionName] = splitVersion(version);
  if (groupName === group) return classifyInGroup(kind, version, versionName);
  if (typeof kind !== 'string') return other;
  const near = nearestName(version, [apiVersion, group]) !== undefined;
  const nearest = nearestName(kind, names);
  if (nearest !== undefined) {
    const issue = nearest === kind ? versionIssue(kind, version) : kindIssue(kind);
    return { is: near || isKubernetesGroup(groupName) ? 'unserved' : 'doubtful', issue };
  }
  return near ? unserved(kindIssue(kind)) : other;
}

function splitVersion(version: string): readonly [string, string] {
  if (version.includes('/')) return [groupOf(version), version.slice(version.indexOf('/') + 1)];
  return version === group ? [group, ''] : ['', version];
}

/** Whether a group belongs to Kubernetes, which serves none of our kinds: its name has no dot or ends in k8s.io. */
function isKubernetesGroup(name: string): boolean {
  return !name.includes('.') || name.endsWith('.k8s.io');
}

function classifyWithoutVersion({ apiVersion: version, kind }: JsonObject): ResourceClass {
  if (typeof kind !== 'string') return other;
  const nearest = names.includes(kind) ? kind : nearestName(kind, names);
  if (nearest === undefined) return other;
  if (nearest !== kind) return unserved(kindIssue(kind));
  const absent = version === undefined || version === null || version === '';
  const problem = absent ? `is required; ${kind} is ${apiVersion}` : `${kind} is ${apiVersion}, got ${shown(version)}`;
  return unserved({ ...decodeIssue(['apiVersion'], problem), code: absent ? 'required' : 'version' });
}

/**
 * Kinds of the GPU operator that share our API version.
 * https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-driver-configuration.html
 */
const kindsOfOthers: readonly string[] = ['NVIDIADriver'];

/** Other products have kinds in our group too (ClusterPolicy, NVIDIADriver), so only a kind that resembles one of ours is an error. */
function classifyInGroup(kind: JsonObject[string], version: string, versionName: string): ResourceClass {
  if (typeof kind !== 'string' || kind === '') {
    const absent = kind === undefined || kind === null || kind === '';
    const problem = absent ? 'is required' : `must be a string, got ${shown(kind)}`;
    const issue = decodeIssue(['kind'], `${problem}; ${apiVersion} has ${names.join(', ')}`);
    return version === apiVersion ? unserved({ ...issue, code: absent ? 'required' : 'type' }) : other;
  }
  const since = firstReleaseOf(kind, versionName);
  if (since !== undefined) {
    const served = names.includes(kind) ? `, which serves ${apiVersion}` : ', which has no such kind';
    const problem = `${kind} of ${version} is served by Dynamo ${since} and later; this is for Dynamo ${ownRelease}${served}`;
    return unserved({ ...decodeIssue(['apiVersion'], problem), code: 'version' });
  }
  if (names.includes(kind)) return unserved(versionIssue(kind, version));
  const byShortName = kinds.find(({ shortName }) => shortName === kind.toLowerCase());
  if (byShortName !== undefined) return unserved(kindIssue(kind, `did you mean ${byShortName.kind}`));
  const resemblesOurs = kind.startsWith('Dynamo') || nearestName(kind, names) !== undefined;
  if (resemblesOurs) return unserved(kindIssue(kind));
  return version === apiVersion && !kindsOfOthers.includes(kind) ? { is: 'doubtful', issue: kindIssue(kind) } : other;
}

function unserved(issue: SchemaIssue): ResourceClass {
  return { is: 'unserved', issue };
}

function versionIssue(kind: string, version: string): SchemaIssue {
  return { ...decodeIssue(['apiVersion'], `no ${kind} in ${shown(version)}, did you mean ${apiVersion}`), code: 'version' };
}

function kindIssue(kind: string, question = didYouMean(kind, names)): SchemaIssue {
  const suggestion = question === undefined ? `; ${apiVersion} has ${names.join(', ')}` : `, ${question}`;
  return { ...decodeIssue(['kind'], `unknown kind ${shown(kind)}${suggestion}`), code: 'unknown_kind' };
}
