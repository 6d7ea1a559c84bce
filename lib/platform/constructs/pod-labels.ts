import type { KubernetesObject } from '../../api/index.ts';
import { isObject, type Json, type JsonObject, objectAt } from '../../json/index.ts';

/** Adds labels to the pod template of an object; existing labels take precedence, and selectors stay unchanged. */
export function withPodLabels(object: KubernetesObject, labels: Readonly<Record<string, string>>): KubernetesObject {
  if (Object.keys(labels).length === 0) return object;
  const spec = labelled(object['spec'], labels);
  return spec === undefined ? object : { ...object, spec };
}

/** A spec with the labels in its pod template, or in that of its job template; undefined if it has neither. */
function labelled(spec: Json | undefined, labels: Readonly<Record<string, string>>): JsonObject | undefined {
  if (!isObject(spec)) return undefined;
  const { template, jobTemplate } = spec;
  if (isObject(template)) {
    const metadata = objectAt(template, 'metadata');
    const all = { ...labels, ...objectAt(metadata, 'labels') };
    return { ...spec, template: { ...template, metadata: { ...metadata, labels: all } } };
  }
  if (!isObject(jobTemplate)) return undefined;
  const job = labelled(jobTemplate['spec'], labels);
  return job === undefined ? undefined : { ...spec, jobTemplate: { ...jobTemplate, spec: job } };
}
