import { findString, isObject, type JsonObject, listAt, objectAt, type Path } from '../../json/index.ts';
import { malformedImage } from '../../api/index.ts';
import { quote, type Draft } from '../finding.ts';
import { viewGraph, type GraphView } from '../graph-view.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';
import { targetRelease } from '../releases/lookup.ts';

const placeholders = /^(?:my-tag|your-tag|tag|changeme|todo|placeholder|x\.y\.z|version)$/i;
const dynamoImages =
  /(?:^|\/)(?:vllm-runtime|sglang-runtime|tensorrtllm-runtime|dynamo-frontend|frontend|dynamo-planner|mocker-runtime)$/;

/** Splits an image reference into repository, tag and digest. */
function splitImage(image: string): { readonly repository: string; readonly tag?: string; readonly digest: boolean } {
  const [name = '', digest] = image.split('@');
  const colon = name.lastIndexOf(':');
  const hasTag = colon > name.lastIndexOf('/');
  return {
    repository: hasTag ? name.slice(0, colon) : name,
    digest: digest !== undefined,
    ...(hasTag ? { tag: name.slice(colon + 1) } : {}),
  };
}

/** Checks one image reference. */
function* checkImage(image: string, path: Path, lintIndex: LintIndex): Iterable<Draft> {
  if (/\$\{?[A-Za-z_(]/.test(image)) {
    yield {
      path,
      problem: 'image is a placeholder that Kubernetes does not replace',
      found: quote(image),
      change: 'write the image, or replace the placeholder before applying',
    };
    return;
  }
  const { repository, tag, digest } = splitImage(image);
  const malformed = image === '' ? undefined : malformedImage(image);
  if (malformed !== undefined) {
    yield { path, problem: `image ${malformed}`, found: quote(image), change: 'write REGISTRY/REPOSITORY:TAG' };
    return;
  }
  if (digest || image === '') return;
  if (tag !== undefined && placeholders.test(tag))
    yield {
      path,
      problem: 'image tag is a placeholder',
      found: quote(image),
      change: `use the tag of a release, such as ${lintIndex.context.release ?? targetRelease}`,
    };
  else if (tag === undefined || tag === 'latest')
    yield {
      path,
      problem: 'image is not pinned, so pods may run different versions',
      found: quote(image),
      change: `add a tag such as :${lintIndex.context.release ?? targetRelease}, or a digest`,
    };
  else if (dynamoImages.test(repository) && /^\d+\.\d+\.\d+/.test(tag)) {
    const release = lintIndex.context.release ?? targetRelease;
    const [minor, wanted] = [tag.split('.').slice(0, 2).join('.'), release.split('.').slice(0, 2).join('.')];
    if (minor !== wanted)
      yield {
        path,
        problem: `image is not of the platform release ${release}`,
        found: quote(tag),
        change: `use ${release}; flags and protocols change between releases`,
        severity: lintIndex.context.release === undefined ? 'warning' : 'error',
      };
  }
}

function* componentImages(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  for (const c of graph.components) {
    const image = findString(c.container, 'image');
    if (image !== undefined) yield* checkImage(image, [...c.containerPath, 'image'], lintIndex);
    for (const list of ['containers', 'initContainers'])
      for (const [index, container] of listAt(c.spec, 'extraPodSpec', list).entries()) {
        const other = findString(container, 'image');
        if (other !== undefined) yield* checkImage(other, [...c.path, 'extraPodSpec', list, index, 'image'], lintIndex);
      }
  }
}

function* requestImages(request: JsonObject, lintIndex: LintIndex): Iterable<Draft> {
  for (const path of [
    ['spec', 'profilingConfig', 'profilerImage'],
    ['spec', 'deploymentOverrides', 'workersImage'],
  ]) {
    const image = findString(request, ...path);
    if (image !== undefined) yield* checkImage(image, path, lintIndex);
  }
}

function* unsupportedChanges(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const { previous } = lintIndex.context;
  if (previous === undefined || !graph.isGraph) return;
  const before = viewGraph(previous, lintIndex.namespace);
  if (before.name !== graph.name || before.namespace !== graph.namespace) return;
  const keys = (g: GraphView): readonly string[] => g.components.map((c) => c.key);
  const [added, removed] = [
    keys(graph).filter((k) => !keys(before).includes(k)),
    keys(before).filter((k) => !keys(graph).includes(k)),
  ];
  const change = 'give the graph a new name; the webhook refuses this change of an existing graph';
  if (added.length + removed.length > 0)
    yield {
      path: ['spec', 'services'],
      problem: 'services of an existing graph cannot be added or removed',
      found: [...added.map((k) => `+${k}`), ...removed.map((k) => `-${k}`)].join(' '),
      change,
    };
  const [backend, previousBackend] = [
    findString(graph.resource, 'spec', 'backendFramework') ?? '',
    findString(previous, 'spec', 'backendFramework') ?? '',
  ];
  if (backend !== previousBackend)
    yield {
      path: ['spec', 'backendFramework'],
      problem: 'backendFramework of an existing graph cannot change',
      found: `${quote(previousBackend)} before, ${quote(backend)} now`,
      change,
    };
  for (const c of graph.components) {
    const old = before.components.find((o) => o.key === c.key);
    if (old && old.nodes > 1 !== c.nodes > 1)
      yield {
        path: c.path,
        problem: 'an existing service cannot change between one node and several',
        found: `${old.nodes} nodes before, ${c.nodes} now`,
        change,
      };
  }
}

const plain = { Frontend: frontend(), Worker: worker('vllm', vllmModel) };

/** Rules about image releases and changes of existing graphs. */
export const lifecycleRules: readonly Rule[] = [
  {
    id: 'DYN-LIFE-001',
    severity: 'warning',
    on: 'graph',
    check: function* (g) {
      if (isObject(objectAt(g.resource, 'spec')['restart']))
        yield {
          path: ['spec', 'restart'],
          problem: 'spec.restart in a manifest restarts the graph again whenever it is created from Git',
          found: quote(findString(g.resource, 'spec', 'restart', 'id') ?? ''),
          change: 'remove it from the manifest and patch the running graph',
        };
    },
    title: 'spec.restart in a manifest',
    why: 'A manifest describes the desired state, but spec.restart triggers an action: it restarts the graph whenever the graph is created from Git. Later releases refuse to create a graph with spec.restart.',
    allowed: 'No spec.restart in manifests in Git.',
    fix: 'Remove it from the manifest and patch the running graph.',
    example: () => ({ bad: [graph(plain, { restart: { id: 'monday' } })], good: [graph(plain)] }),
  },
  {
    id: 'DYN-LIFE-002',
    severity: 'warning',
    on: 'graph',
    check: unsupportedChanges,
    contextual: true,
    title: 'change of an existing graph that the webhook refuses',
    why: 'The webhook refuses to add or remove services, to change the backend, and to switch a service between one node and several.',
    allowed: 'Any other change, or a new graph name.',
    fix: 'Give the graph a new name and move the traffic to it. The rule needs the applied manifests: `lint -f NEW --previous OLD`. `validate -f NEW --old OLD` prints the answer of the webhook.',
    example: () => ({
      context: { previous: graph(plain) },
      bad: [graph({ ...plain, Second: worker('vllm', vllmModel) })],
      good: [graph(plain)],
    }),
  },
  {
    id: 'DYN-VER-001',
    severity: 'error',
    on: 'graph',
    check: componentImages,
    also: { kinds: ['DynamoGraphDeploymentRequest'], check: requestImages },
    title: 'image that is invalid, not pinned or not of the target release',
    why: 'A placeholder cannot be pulled. An unpinned tag can change while the graph runs. A runtime of another release has different flags and protocols.',
    allowed:
      'A release tag or a digest. A tag of another release is an error if the target release is set (in code or by --release), otherwise a warning.',
    fix: 'Pin the image to the release of the platform.',
    example: () => ({
      bad: [graph({ ...plain, Frontend: frontend({ image: 'my-registry/vllm-runtime:my-tag' }) })],
      good: [graph(plain)],
    }),
  },
];
