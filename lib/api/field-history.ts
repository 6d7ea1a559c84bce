import { isObject, stringAt, valueAt, type Json, type JsonObject, type Path } from '../json/index.ts';
import { fieldSpans } from './release-fields.ts';
import { presenceIn, publishedIn, spansByName, type Span } from './release-span.ts';
import { ownRelease } from './releases.ts';

const spans = new Map(Object.entries(fieldSpans).map(([kind, table]) => [kind, spansByName(table)]));

/** What took the place of fields that are gone, by the last part of their path. */
const successors: Readonly<Record<string, string>> = {
  pvc: 'declare the claim in spec.pvcs and mount it by volumeMounts',
  dynamoGraph: 'list the components in spec.services',
};

function spanOf(kind: string, path: Path): Span | undefined {
  const [first, ...rest] = path;
  const known = spans.get(kind);
  if (first !== 'spec' || known === undefined) return undefined;
  const below = rest.map((part, index) => (index === 1 && rest[0] === 'services' ? '*' : String(part))).join('.');
  return known.get(below);
}

/** What a release does with a field that another release has. */
type FieldHistory = { readonly is: 'there' } | { readonly is: 'dropped'; readonly message: string } | { readonly is: 'unknown' };

/** Whether a release has a field, and if not when it came or went. */
export function fieldHistory(kind: string, path: Path, release: string = ownRelease): FieldHistory {
  const span = spanOf(kind, path);
  if (span === undefined) return { is: 'unknown' };
  const presence = presenceIn(span, release);
  if (presence.is === 'there') return presence;
  if (presence.is === 'later') return { is: 'dropped', message: `came with ${presence.came}, release ${release} drops it` };
  const last = String(path.at(-1));
  const instead = Object.hasOwn(successors, last) ? successors[last] : undefined;
  return { is: 'dropped', message: `gone since ${presence.gone}${instead === undefined ? '' : `; ${instead}`}` };
}

/** Fields of an object that a release drops although another release has them, each with when it came or went. */
export function droppedFields(kind: string, object: JsonObject, release: string): readonly { path: Path; message: string }[] {
  const names = [...(spans.get(kind)?.keys() ?? [])];
  return names.flatMap((name) =>
    placesOf(object, ['spec'], name.split('.')).flatMap((path) => {
      const history = fieldHistory(kind, path, release);
      return history.is === 'dropped' ? [{ path, message: history.message }] : [];
    }),
  );
}

/** Where an object has a field; `*` stands for every key. */
function placesOf(object: JsonObject, path: Path, [key, ...rest]: readonly string[]): readonly Path[] {
  if (key === undefined) return [path];
  const parent: Json | undefined = valueAt(object, ...path);
  const keys = isObject(parent) ? (key === '*' ? Object.keys(parent) : Object.hasOwn(parent, key) ? [key] : []) : [];
  return keys.flatMap((found) => placesOf(object, [...path, found], rest));
}

/** Component types that not every release has. */
const componentTypes = spansByName({ '0.9-main': 'epp' });

/** What a resource uses that the operator published as a release does not have: it would be dropped, or refused as unknown. */
export function laterFields(resource: Json, release: string): readonly { readonly path: Path; readonly what: string }[] {
  if (!isObject(resource)) return [];
  const kind = stringAt(resource, 'kind');
  const places = (name: string): readonly Path[] =>
    placesOf(resource, ['spec'], name.split('.')).filter((path) => valueAt(resource, ...path) !== undefined);
  const fields = [...(spans.get(kind) ?? [])]
    .filter(([, span]) => !publishedIn(span, release) && presenceIn(span, ownRelease).is === 'there')
    .flatMap(([name]) => places(name).map((path) => ({ path, what: `the field ${String(path.at(-1))}` })));
  const types = [...componentTypes]
    .filter(([, span]) => !publishedIn(span, release))
    .flatMap(([type]) =>
      places(kind === 'DynamoComponentDeployment' ? 'componentType' : 'services.*.componentType')
        .filter((path) => valueAt(resource, ...path) === type)
        .map((path) => ({ path, what: `the component type ${type}` })),
    );
  return [...fields, ...types];
}
