/** Which look-ups a watch with selectors can answer, and which objects belong to it. */
import type { KubernetesObject } from '../../api/index.ts';
import type { Select } from './select.ts';
import type { WatchedKind } from './watched-kind.ts';

/** Whether a watch can answer: always, with the other watches of its kind, only if it has the object, or never. */
type Coverage = 'yes' | 'together' | 'if found' | 'no';

/** A question about one object or several. */
type Question =
  { readonly namespace: string; readonly name: string } | { readonly namespace: string; readonly select: Select | undefined };

/**
 * Whether a watch knows the answer to a question.
 *
 * Together, the watches of a kind match everything that the operator creates, so every object that one of its resources owns is in one of them.
 */
export function answers({ selection = {}, keep }: WatchedKind, question: Question): Coverage {
  const { namespace, labelSelector, fieldSelector } = selection;
  // For all namespaces a watch of one namespace has only a part of the answer.
  if (namespace !== undefined && question.namespace === '' && 'select' in question) return 'if found';
  if (namespace !== undefined && namespace !== question.namespace) return 'no';
  if (fieldSelector !== undefined && !fieldAnswers(fieldSelector, question)) return 'no';
  if (labelSelector === undefined && keep === undefined) return 'yes';
  if ('name' in question || question.select === undefined) return 'if found';
  if ('controllerUid' in question.select || 'coOwnerUid' in question.select) return 'together';
  if (!('labels' in question.select)) return 'if found';
  const { labels } = question.select;
  return keep === undefined && matchesAllWith(labels, labelSelector ?? '') ? 'yes' : 'if found';
}

/** Throws on selectors that `isSelected` does not understand: the answer to a write would enter the wrong watch. */
export function checkSelectors({ selection = {} }: WatchedKind): void {
  const { labelSelector = 'x', fieldSelector = 'x=y' } = selection;
  const isKnown =
    labelSelector.split(',').every((term) => /^(![^\s!=()]+|[^\s!=()]+(=[^\s!=()]*)?)$/.test(term)) &&
    fieldSelector.split(',').every((term) => /^[\w.]+=[^\s!=]+$/.test(term));
  if (!isKnown)
    throw new Error(`selectors of a watch may be key, !key, key=value and field=value only: ${labelSelector} ${fieldSelector}`);
}

/** Whether an object belongs to a watch: its selectors match and its filter keeps it. */
export function isSelected({ selection = {}, keep }: WatchedKind, object: KubernetesObject): boolean {
  const { namespace, labelSelector, fieldSelector } = selection;
  if (keep !== undefined && !keep(object)) return false;
  if (namespace !== undefined && namespace !== object.metadata.namespace) return false;
  if (labelSelector !== undefined && !matchesLabels(labelSelector, object.metadata.labels ?? {})) return false;
  return fieldSelector === undefined || fieldSelector.split(',').every((term) => matchesField(term, object));
}

type Labels = Readonly<Record<string, string>>;

// The forms the operator uses: `key`, `!key`, `key=value`, joined by commas.
function matchesLabels(selector: string, labels: Labels): boolean {
  return selector.split(',').every((term) => (term.startsWith('!') ? !hasLabel(term.slice(1), labels) : hasLabel(term, labels)));
}

/** Whether a selector matches every object that carries some labels, whatever else it carries; with `!key` it never does. */
function matchesAllWith(labels: Labels, selector: string): boolean {
  return selector.split(',').every((term) => hasLabel(term, labels));
}

function hasLabel(term: string, labels: Labels): boolean {
  const [key, value] = splitTerm(term);
  return value === undefined ? labels[key] !== undefined : labels[key] === value;
}

function matchesField(term: string, object: KubernetesObject): boolean {
  const [path, value] = splitTerm(term);
  if (path === 'metadata.name') return object.metadata.name === value;
  if (path === 'metadata.namespace') return object.metadata.namespace === value;
  return object[path] === value;
}

function fieldAnswers(selector: string, question: Question): boolean {
  return selector.split(',').every((term) => {
    const [path, value] = splitTerm(term);
    if ('name' in question) return path === 'metadata.name' && question.name === value;
    return (
      path === 'type' && question.select !== undefined && 'secretType' in question.select && question.select.secretType === value
    );
  });
}

function splitTerm(term: string): readonly [key: string, value: string | undefined] {
  const at = term.indexOf('=');
  return at < 0 ? [term, undefined] : [term.slice(0, at), term.slice(at + 1)];
}
