import { formatPath } from '../../json/index.ts';
import type { RenderedObject } from '../../render/index.ts';
import { draftMessage, type Finding } from '../finding.ts';
import { predictRejections, type Rejection } from './predict-rejections.ts';
import { nameTopic, topics } from './topics.ts';

/** A finding, with its consequence if it makes the API server refuse an object. */
export interface PredictedRejection extends Finding {
  /** Such as `the API server refuses Deployment demo-worker: spec.template.spec.containers[0].image: Required value`. */
  readonly consequence?: string;
}

/** A finding without its consequence. */
export function plainFinding({ id, severity, path, message, fix }: Finding): Finding {
  return { id, severity, path, message, ...(fix === undefined ? {} : { fix }) };
}

/** The change that resolves a rejection. */
function changeFor({ id, path, kind, message }: Rejection): string {
  const topic = topics.find((one) => one.id === id);
  const rejection = `${formatPath(path)} ${kind} ${message}`;
  return topic?.changes?.find(([pattern]) => pattern.test(rejection))?.[1] ?? topic?.change ?? 'correct it';
}

/**
 * The problem of a rejection, which several objects may have. For an invalid name of an object it is the name: kinds have different rules, and objects of
 * one service different suffixes.
 */
function problemOf({ id, field, message }: Rejection): string {
  return id === nameTopic ? '' : message.slice(formatPath(field).length);
}

/** Rejections as findings: one for each path of the user's manifest and problem, with the names of all rejected objects. */
export function rejectionFindings(rendered: readonly RenderedObject[]): readonly PredictedRejection[] {
  const groups = new Map<string, { readonly first: Rejection; readonly others: Set<string> }>();
  for (const rejection of predictRejections(rendered)) {
    const key = JSON.stringify([rejection.id, rejection.path, problemOf(rejection)]);
    const group = groups.get(key);
    const name = `${rejection.kind} ${rejection.name}`;
    if (group === undefined) groups.set(key, { first: rejection, others: new Set() });
    else if (name !== `${group.first.kind} ${group.first.name}`) group.others.add(name);
  }
  return [...groups.values()].map(({ first, others }) => {
    const more = others.size === 0 ? '' : ` and ${[...others].join(', ')}`;
    const change = changeFor(first);
    const consequence = `the API server refuses ${first.kind} ${first.name}${more}: ${first.message}`;
    const message = draftMessage({ path: first.path, problem: consequence, change });
    return { id: first.id, severity: 'error', path: first.path, message, consequence };
  });
}
