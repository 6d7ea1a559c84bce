import { findNumber, findObject, isObject, isTrueAt, type Json, type JsonObject, objectAt, stringAt } from '../../json/index.ts';
import { statusOf } from '../condition.ts';
import { annotationsOf, generationOf } from '../metadata.ts';
import { requestAnnotation } from './request-keys.ts';

/** The part of a spec that still matters after the profiler has started. */
interface AcceptedSpec {
  readonly autoApply: boolean;
  readonly useMocker: boolean;
  readonly overrides: JsonObject;
}

const gated: ReadonlySet<string> = new Set(['Profiling', 'Deploying', 'Ready', 'DeploymentDeleted']);

/** Whether the spec was edited after the profiler started. Such an edit is refused. */
export function isEditRejected(request: JsonObject): boolean {
  const status = statusOf(request);
  const observed = findNumber(status, 'observedGeneration') ?? 0;
  return observed > 0 && observed !== generationOf(request) && gated.has(stringAt(status, 'state'));
}

/** The generation in effect: the accepted one where a later edit was refused. */
export function acceptedGeneration(request: JsonObject): number {
  return isEditRejected(request) ? (findNumber(statusOf(request), 'observedGeneration') ?? 0) : generationOf(request);
}

/** The spec in effect. A refused edit changes nothing, even if an earlier operator did not store the accepted spec in an annotation. */
export function acceptedSpec(request: JsonObject): AcceptedSpec {
  const spec = objectAt(request, 'spec');
  if (!isEditRejected(request)) return partOf(spec);
  const noted = notedSpec(request);
  if (noted !== undefined) return partOf(noted);
  const status = statusOf(request);
  // Without the annotation the accepted value is unknown: nothing new is deployed.
  const autoApply = stringAt(status, 'state') === 'Deploying' || findObject(status, 'deployment') !== undefined;
  return { ...partOf(spec), autoApply };
}

/** The annotation that keeps the present spec. */
export function acceptedSpecText(request: JsonObject): string {
  const { autoApply, useMocker, overrides } = partOf(objectAt(request, 'spec'));
  const { name, namespace, labels, annotations } = overrides;
  const given = Object.entries({ name, namespace, labels, annotations }).filter(([, value]) => value !== undefined);
  const deploymentOverrides = given.length > 0 ? { deploymentOverrides: Object.fromEntries(given) } : {};
  return JSON.stringify({ autoApply, useMocker, ...deploymentOverrides });
}

function notedSpec(request: JsonObject): JsonObject | undefined {
  let noted: unknown;
  try {
    noted = JSON.parse(stringAt(annotationsOf(request), requestAnnotation.acceptedSpec));
  } catch {
    return undefined;
  }
  return isObject(noted) ? noted : undefined;
}

function partOf(spec: Json): AcceptedSpec {
  return {
    autoApply: isTrueAt(spec, 'autoApply'),
    useMocker: isTrueAt(spec, 'useMocker'),
    overrides: objectAt(spec, 'deploymentOverrides'),
  };
}
