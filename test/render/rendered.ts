import type { Container, ExtraPodSpec, KubernetesObject } from '../../lib/api/index.ts';
import { renderLevels, type RenderContext, type RenderableResource } from '../../lib/render/index.ts';

/** A rendered object with its members open to a test. */
export interface Found extends KubernetesObject {
  // oxlint-disable-next-line no-explicit-any -- tests look deep into objects of many kinds
  readonly spec?: any;
}

/** A pod spec as rendered. */
export interface Pod extends ExtraPodSpec {
  readonly containers: readonly Container[];
}

/** What a resource renders to, ready to be looked into. */
export interface View {
  /** `Kind/name` of every object, in order. */
  readonly names: readonly string[];
  /** Why something could not be rendered: the leaf texts and the whole chains. */
  readonly messages: readonly string[];
  readonly chains: readonly string[];
  /** The object with this `Kind/name`; a test that asks for one that is not there fails. */
  readonly get: (name: string) => Found;
  /** The pod of a Deployment, or of a clique of the only PodCliqueSet. */
  readonly pod: (name: string) => Pod;
  /** The last container of that pod. */
  readonly main: (name: string) => Container;
}

/** Renders a resource for a test. */
export function view(resource: RenderableResource, context: RenderContext): View {
  const { objects, issues } = renderLevels(resource, context);
  const all = objects.map(({ object }) => object as Found);
  const nameOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;
  const get = (name: string): Found =>
    required(
      all.find((object) => nameOf(object) === name),
      name,
    );
  const pod = (name: string): Pod => {
    if (name.startsWith('Deployment/')) return get(name).spec.template.spec as Pod;
    const set = required(
      all.find((object) => object.kind === 'PodCliqueSet'),
      'PodCliqueSet',
    );
    const cliques = set.spec.template.cliques as readonly { readonly name: string; readonly spec: { readonly podSpec: Pod } }[];
    return required(
      cliques.find((clique) => clique.name === name),
      name,
    ).spec.podSpec;
  };
  return {
    names: all.map(nameOf),
    messages: issues.map(({ message }) => message),
    chains: issues.map(({ chain }) => chain),
    get,
    pod,
    main: (name) => required(pod(name).containers.at(-1), name),
  };
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`not rendered: ${what}`);
  return value;
}
