import { isObject, stringAt, valueAt, type Json, type JsonObject, type Path } from '../json/index.ts';
import { fieldSpans } from './release-fields.ts';
import { presenceIn, publishedIn, spansByName, type Span } from './release-span.ts';
import { ownRelease } from './releases.ts';

const spans = new Map(Object.entries(fieldSpans).map(([kind, table]) => [kind, spansByName(table)]));

/** What to use instead of a removed field, by the last part of its path. */
const replacements: Readonly<Record<string, string>> = {
  pvc: 'declare the claim in spec.pvcs and mount it with volumeMounts',
  dynamoGraph: 'list the components in spec.services',
};

function spanOf(kind: string, path: Path): Span | undefined {
  const [first, ...rest] = path;
  const known = spans.get(kind);
  if (first !== 'spec' || known === undefined) return undefined;
  const below = rest.map((part, index) => (index === 1 && rest[0] === 'services' ? '*' : String(part))).join('.');
  return known.get(below);
}

/** Whether a release has a field: it does, it drops the field that another release has, or no release is known to have it. */
type FieldHistory = { readonly is: 'there' } | { readonly is: 'dropped'; readonly message: string } | { readonly is: 'unknown' };

/** Whether a release has a field, and if not, which release added or removed it. */
export function fieldHistory(kind: string, path: Path, release: string = ownRelease): FieldHistory {
  const span = spanOf(kind, path);
  if (span === undefined) return { is: 'unknown' };
  const presence = presenceIn(span, release);
  if (presence.is === 'there') return presence;
  if (presence.is === 'later') return { is: 'dropped', message: `added in ${presence.came}, release ${release} drops it` };
  const last = String(path.at(-1));
  const replacement = Object.hasOwn(replacements, last) ? replacements[last] : undefined;
  return { is: 'dropped', message: `removed in ${presence.gone}${replacement === undefined ? '' : `; ${replacement}`}` };
}

/** Fields of an object that another release has and this one drops, each with the release that added or removed it. */
export function droppedFields(kind: string, object: JsonObject, release: string): readonly { path: Path; message: string }[] {
  const names = [...(spans.get(kind)?.keys() ?? [])];
  return names.flatMap((name) =>
    pathsOf(object, ['spec'], name.split('.')).flatMap((path) => {
      const history = fieldHistory(kind, path, release);
      return history.is === 'dropped' ? [{ path, message: history.message }] : [];
    }),
  );
}

/** The paths at which an object has a field; `*` matches every key. */
function pathsOf(object: JsonObject, path: Path, [key, ...rest]: readonly string[]): readonly Path[] {
  if (key === undefined) return [path];
  const parent: Json | undefined = valueAt(object, ...path);
  const keys = isObject(parent) ? (key === '*' ? Object.keys(parent) : Object.hasOwn(parent, key) ? [key] : []) : [];
  return keys.flatMap((found) => pathsOf(object, [...path, found], rest));
}

/** Component types that not every release has. */
const componentTypes = spansByName({ '0.9-main': 'epp' });

/** Fields and component types of a resource that the published operator of a release lacks; it drops or rejects them. */
export function laterFields(resource: Json, release: string): readonly { readonly path: Path; readonly what: string }[] {
  if (!isObject(resource)) return [];
  const kind = stringAt(resource, 'kind');
  const paths = (name: string): readonly Path[] =>
    pathsOf(resource, ['spec'], name.split('.')).filter((path) => valueAt(resource, ...path) !== undefined);
  const fields = [...(spans.get(kind) ?? [])]
    .filter(([, span]) => !publishedIn(span, release) && presenceIn(span, ownRelease).is === 'there')
    .flatMap(([name]) => paths(name).map((path) => ({ path, what: `the field ${String(path.at(-1))}` })));
  const types = [...componentTypes]
    .filter(([, span]) => !publishedIn(span, release))
    .flatMap(([type]) =>
      paths(kind === 'DynamoComponentDeployment' ? 'componentType' : 'services.*.componentType')
        .filter((path) => valueAt(resource, ...path) === type)
        .map((path) => ({ path, what: `the component type ${type}` })),
    );
  return [...fields, ...types];
}
