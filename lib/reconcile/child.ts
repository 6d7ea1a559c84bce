import type { KubernetesObject } from '../api/index.ts';
import {
  escapePointerKey,
  isEqual,
  isObject,
  maximum,
  objectAt,
  stringAt,
  valueAt,
  type Json,
  type JsonObject,
  type PatchOperation,
} from '../json/index.ts';
import { annotation, canonicalText, label } from '../render/index.ts';
import { isEditedSpec } from './edited-spec.ts';
import { kinds } from './kinds.ts';
import { isReordered } from './list-order.ts';
import { annotationsOf, generationOf, guardedPatch, isDeleting, keyOf, labelsOf, uidOf } from './metadata.ts';
import { controlledBy, foreignOwner, ownershipOf } from './ownership.ts';
import type { PlannedWrite, Step } from './plan.ts';

/** The parent that reconciles a child, and the prefix of errors about the child. */
export interface Keeper {
  /** The resource the child belongs to. */
  readonly parent: JsonObject;
  /** Prefix of the original's errors about the child. */
  readonly chain: string;
  /** Uids of objects that the parent controls. The parent may take over what these control. */
  readonly controlledUids?: ReadonlySet<string>;
  /** Finalizers a child is created with. */
  readonly finalizers?: readonly string[];
}

/** The state of one child, and the writes of this pass for it. */
export interface ChildSync {
  readonly desired: KubernetesObject;
  /** The child as it was before this pass. */
  readonly live: JsonObject | undefined;
  /**
   * `same`: at most metadata is written. `created`, `respecified`: written in this pass, so it cannot be ready yet. `going`: being deleted,
   * or deleted in this pass to be created again. `held`: the parent's own parent or child still controls it.
   */
  readonly state: 'same' | 'created' | 'respecified' | 'going' | 'held' | 'foreign';
  readonly steps: readonly Step[];
  /** Why the child cannot be reconciled. */
  readonly problem?: string;
}

/** Compares a child with the desired one. */
export function syncChild(desired: KubernetesObject, live: JsonObject | undefined, keeper: Keeper): ChildSync {
  if (live === undefined) return { desired, live, state: 'created', steps: [[creation(desired, keeper)]] };
  if (isDeleting(live)) return { desired, live, state: 'going', steps: [] };
  const ownership = ownershipOf(live, keeper.parent, keeper.controlledUids ?? new Set());
  if (ownership === 'childs') return { desired, live, state: 'held', steps: [] };
  if (ownership === 'predecessors') return { desired, live, state: 'going', steps: [] };
  if (ownership === 'foreign')
    return { desired, live, state: 'foreign', steps: [], problem: `${keeper.chain}${foreignOwner(live)}` };
  return updateChild(desired, live, keeper, ownership !== 'own');
}

/** Updates a child that the parent controls or may take over. */
export function updateChild(desired: KubernetesObject, live: JsonObject, keeper: Keeper, takesOver: boolean): ChildSync {
  if (desired['roleRef'] !== undefined && !isEqual(desired['roleRef'], live['roleRef']))
    return { desired, live, state: 'created', steps: [[deletion(live, keeper.chain)], [creation(desired, keeper)]] };
  const writesSpec = needsSpec(desired, live);
  const operations = [
    ...(writesSpec ? [{ op: 'replace', path: '/spec', value: desired['spec'] ?? {} } as const] : []),
    ...annotationOperations(desired, live, writesSpec),
    ...labelOperations(desired, live),
    ...memberOperations(desired, live),
    ...(takesOver ? ownerOperations(desired, live) : []),
  ];
  const state = writesSpec ? 'respecified' : 'same';
  if (operations.length === 0) return { desired, live, state, steps: [] };
  const told = { verb: 'Update', kind: desired.kind, name: desired.metadata.name } as const;
  return { desired, live, state, steps: [[{ write: guardedPatch(live, operations), chain: keeper.chain, told }]] };
}

/** The first write of every child, then the second ones. Only a child that is replaced has two: delete, then create. */
export function inParallel(syncs: readonly ChildSync[]): readonly Step[] {
  const rounds = maximum(syncs.map(({ steps }) => steps.length));
  return Array.from({ length: rounds }, (_, round) => syncs.flatMap(({ steps }) => steps[round] ?? []));
}

/** The write that creates a child. */
function creation(desired: KubernetesObject, { chain, finalizers }: Keeper): PlannedWrite {
  const metadata = { ...desired.metadata, ...(finalizers && { finalizers }) };
  const { kind } = desired;
  return {
    write: { verb: 'create', target: keyOf(desired), object: { ...desired, metadata } },
    chain,
    told: { verb: 'Create', kind, name: metadata.name },
  };
}

/** The write that deletes an object. The caller has checked that the parent controls it. */
export function deletion(live: JsonObject, chain: string): PlannedWrite {
  const target = keyOf(live);
  return {
    write: { verb: 'delete', target, uid: uidOf(live) },
    chain,
    told: { verb: 'Delete', kind: target.kind, name: target.name },
  };
}

/**
 * Whether the spec must be written: the desired spec changed, somebody edited the live one, or its hash annotation is missing. A Service has no
 * `metadata.generation`, so its fields are compared instead.
 */
function needsSpec(desired: KubernetesObject, live: JsonObject): boolean {
  if (desired['spec'] === undefined) return false;
  const annotations = annotationsOf(live);
  const applied = annotations[annotation.generation];
  return (
    annotations[annotation.hash] !== desired.metadata.annotations?.[annotation.hash] ||
    !isIntegerString(applied) ||
    generationOf(live) > Number(applied) ||
    isReordered(desired['spec'], live['spec']) ||
    (desired.kind === kinds.service.kind && live['spec'] !== undefined && isEditedSpec(desired['spec'], live['spec']))
  );
}

function isIntegerString(text: Json | undefined): boolean {
  return typeof text === 'string' && /^[+-]?[0-9]+$/.test(text);
}

function annotationOperations(desired: KubernetesObject, live: JsonObject, writesSpec: boolean): readonly PatchOperation[] {
  const present = annotationsOf(live);
  const { [annotation.hash]: hash = '', [annotation.generation]: _first, ...own } = desired.metadata.annotations ?? {};
  const lacksTracking = present[annotation.hash] !== hash || !isIntegerString(present[annotation.generation]);
  const removals = staleOperations('/metadata/annotations', own, present, annotationKeys);
  const differs = removals.length > 0 || Object.keys(own).some((key) => present[key] !== own[key]);
  const bumps = keyOf(live).kind === kinds.deployment.kind && (differs || lacksTracking);
  const tracking =
    writesSpec || lacksTracking || bumps || isAhead(live)
      ? { [annotation.hash]: hash, [annotation.generation]: nextGeneration(desired, live, writesSpec) }
      : {};
  return [...mapOperations(live, ['metadata', 'annotations'], { ...own, ...tracking }), ...removals];
}

function labelOperations(desired: KubernetesObject, live: JsonObject): readonly PatchOperation[] {
  const own = desired.metadata.labels ?? {};
  const present = labelsOf(live);
  return [...mapOperations(live, ['metadata', 'labels'], own), ...staleOperations('/metadata/labels', own, present, labelKeys)];
}

const isOurs = (key: string): boolean => key.startsWith('nvidia.com/');

/** Labels and annotations that only the operator sets. */
const labelKeys = Object.values(label).filter(isOurs);
const annotationKeys = Object.values(annotation).filter(
  (key) => isOurs(key) && key !== annotation.hash && key !== annotation.generation,
);

/** Removes labels and annotations that the operator has set before and no longer wants, such as the discovery label of a Service. */
function staleOperations(
  path: string,
  wanted: JsonObject,
  present: JsonObject,
  keys: readonly string[],
): readonly PatchOperation[] {
  return keys
    .filter((key) => present[key] !== undefined && wanted[key] === undefined)
    .map((key) => ({ op: 'remove', path: `${path}/${escapePointerKey(key)}` }));
}

/**
 * The generation that the child has after the write. The API server raises that of a Deployment when its annotations change; for other kinds only
 * a changed spec counts.
 */
function nextGeneration(desired: KubernetesObject, live: JsonObject, writesSpec: boolean): string {
  const generation = generationOf(live);
  const isDeployment = desired.kind === kinds.deployment.kind;
  const raised = isDeployment || (writesSpec && changesSpec(desired, live['spec']));
  return String(Math.max(1, raised ? generation + 1 : generation));
}

/**
 * Whether a write of the spec changes the stored one. Fields that only the stored spec has are either removed, or defaults that are added again. Grove
 * adds many defaults, so for a PodCliqueSet they count as no change. A recorded generation that is too low costs one more write; one that is too high
 * hides the next edit.
 */
function changesSpec({ kind, spec }: KubernetesObject, stored: Json | undefined): boolean {
  return isEditedSpec(spec, stored) || (kind !== kinds.podCliqueSet.kind && canonicalText(spec) !== canonicalText(stored));
}

/** Whether the recorded generation is higher than the real one, because a write changed less than expected. The next edit would then look applied. */
function isAhead(live: JsonObject): boolean {
  const generation = generationOf(live);
  return generation > 0 && Number(annotationsOf(live)[annotation.generation]) > generation;
}

/** Sets the given keys of a map and leaves the others alone, also those that the cache leaves out of an annotation map it shows empty. */
function mapOperations(live: JsonObject, at: readonly string[], wanted: JsonObject): readonly PatchOperation[] {
  const present = objectAt(live, ...at);
  const path = `/${at.join('/')}`;
  const operations: PatchOperation[] = [];
  for (const key of Object.keys(wanted)) {
    const value = wanted[key];
    if (value !== undefined && !isEqual(value, present[key]))
      operations.push({ op: 'add', path: `${path}/${escapePointerKey(key)}`, value });
  }
  const isNew = operations.length > 0 && !isObject(valueAt(live, ...at));
  return isNew ? [{ op: 'add', path, value: {} }, ...operations] : operations;
}

const handledApart = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status', 'roleRef']);

/** `data`, `rules`, `subjects`: keys that others added to `data` stay; the lists are replaced as a whole. */
function memberOperations(desired: KubernetesObject, live: JsonObject): readonly PatchOperation[] {
  return Object.keys(desired).flatMap((key): readonly PatchOperation[] => {
    const wanted = desired[key];
    if (handledApart.has(key) || wanted === undefined) return [];
    if (isObject(wanted)) return mapOperations(live, [key], wanted);
    return isEqual(wanted, live[key]) ? [] : [{ op: 'add', path: `/${key}`, value: wanted }];
  });
}

function ownerOperations(desired: KubernetesObject, live: JsonObject): readonly PatchOperation[] {
  const [reference] = desired.metadata.ownerReferences ?? [];
  return reference === undefined || stringAt(reference, 'uid') === ''
    ? []
    : [{ op: 'add', path: '/metadata/ownerReferences', value: controlledBy(live, reference) }];
}
