import { findString, isObject, type JsonObject, listAt, objectAt, type Path } from '../../json/index.ts';
import { quote, type Draft } from '../finding.ts';
import { viewGraph, type GraphView } from '../graph-view.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';
import { targetRelease } from '../releases/lookup.ts';

const placeholders = /^(?:my-tag|your-tag|tag|changeme|todo|placeholder|x\.y\.z|version)$/i;
const dynamoImages =
  /(?:^|\/)(?:vllm-runtime|sglang-runtime|tensorrtllm-runtime|dynamo-frontend|frontend|dynamo-planner|mocker-runtime)$/;

/** Repository and tag of an image; a digest counts as pinned. */
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

/** Why the kubelet cannot read an image reference, after https://docs.docker.com/reference/cli/docker/image/tag/; undefined when it can. */
function malformedPart(image: string): string | undefined {
  const [name = '', ...digests] = image.split('@');
  const last = name.slice(name.lastIndexOf('/') + 1);
  const [, tag, ...more] = last.split(':');
  if (/\s/.test(image)) return 'image has a blank in it';
  if (/^[a-z]+:\/\//.test(image)) return 'image is no URL, a registry has no scheme';
  if (more.length > 0) return "image has a second ':' after its tag";
  if (tag === '') return "image has no tag after its ':'";
  if (digests.length > 1) return "image has a second '@'";
  if (/[A-Z]/.test(last.split(':')[0] ?? '')) return 'image has capitals in the name of its repository';
  return undefined;
}

/** What is wrong with one image reference. */
function* checkImage(image: string, path: Path, around: LintIndex): Iterable<Draft> {
  if (/\$\{?[A-Za-z_(]/.test(image)) {
    yield {
      path,
      problem: 'image is a placeholder nobody fills in',
      found: quote(image),
      change: 'write the image, or fill it in before applying',
    };
    return;
  }
  const { repository, tag, digest } = splitImage(image);
  const malformed = image === '' ? undefined : malformedPart(image);
  if (malformed !== undefined) {
    yield { path, problem: malformed, found: quote(image), change: 'write REGISTRY/REPOSITORY:TAG' };
    return;
  }
  if (digest || image === '') return;
  if (tag !== undefined && placeholders.test(tag))
    yield {
      path,
      problem: 'image tag is a placeholder',
      found: quote(image),
      change: `use a release, such as ${around.context.release ?? targetRelease}`,
    };
  else if (tag === undefined || tag === 'latest')
    yield {
      path,
      problem: 'image is not pinned, so two pods may run different code',
      found: quote(image),
      change: `add a tag such as :${around.context.release ?? targetRelease}, or a digest`,
    };
  else if (dynamoImages.test(repository) && /^\d+\.\d+\.\d+/.test(tag)) {
    const release = around.context.release ?? targetRelease;
    const [minor, wanted] = [tag.split('.').slice(0, 2).join('.'), release.split('.').slice(0, 2).join('.')];
    if (minor !== wanted)
      yield {
        path,
        problem: `image is of another release than the platform ${release}`,
        found: quote(tag),
        change: `use ${release}, flags and protocols change between releases`,
        severity: around.context.release === undefined ? 'warning' : 'error',
      };
  }
}

function* versions(graph: GraphView, around: LintIndex): Iterable<Draft> {
  for (const c of graph.components) {
    const image = findString(c.container, 'image');
    if (image !== undefined) yield* checkImage(image, [...c.containerPath, 'image'], around);
    for (const list of ['containers', 'initContainers'])
      for (const [index, container] of listAt(c.spec, 'extraPodSpec', list).entries()) {
        const other = findString(container, 'image');
        if (other !== undefined) yield* checkImage(other, [...c.path, 'extraPodSpec', list, index, 'image'], around);
      }
  }
}

function* requestImages(request: JsonObject, around: LintIndex): Iterable<Draft> {
  for (const path of [
    ['spec', 'profilingConfig', 'profilerImage'],
    ['spec', 'deploymentOverrides', 'workersImage'],
  ]) {
    const image = findString(request, ...path);
    if (image !== undefined) yield* checkImage(image, path, around);
  }
}

function* changed(graph: GraphView, around: LintIndex): Iterable<Draft> {
  const { previous } = around.context;
  if (previous === undefined || !graph.isGraph) return;
  const before = viewGraph(previous, around.namespace);
  if (before.name !== graph.name || before.namespace !== graph.namespace) return;
  const keys = (g: GraphView): readonly string[] => g.components.map((c) => c.key);
  const [added, removed] = [
    keys(graph).filter((k) => !keys(before).includes(k)),
    keys(before).filter((k) => !keys(graph).includes(k)),
  ];
  const change = 'give the graph a new name, the running one cannot take it';
  if (added.length + removed.length > 0)
    yield {
      path: ['spec', 'services'],
      problem: 'services of a running graph cannot be added or removed',
      found: [...added.map((k) => `+${k}`), ...removed.map((k) => `-${k}`)].join(' '),
      change,
    };
  const [backend, was] = [
    findString(graph.resource, 'spec', 'backendFramework') ?? '',
    findString(previous, 'spec', 'backendFramework') ?? '',
  ];
  if (backend !== was)
    yield {
      path: ['spec', 'backendFramework'],
      problem: 'backendFramework of a running graph cannot change',
      found: `${quote(was)} before, ${quote(backend)} now`,
      change,
    };
  for (const c of graph.components) {
    const old = before.components.find((o) => o.key === c.key);
    if (old && old.nodes > 1 !== c.nodes > 1)
      yield {
        path: c.path,
        problem: 'a running service cannot change between one node and several',
        found: `${old.nodes} nodes before, ${c.nodes} now`,
        change,
      };
  }
}

const plain = { Frontend: frontend(), Worker: worker('vllm', vllmModel) };

/** Rules about releases and changes over time. */
export const lifecycleRules: readonly Rule[] = [
  {
    id: 'DYN-LIFE-001',
    severity: 'warning',
    on: 'graph',
    check: function* (g) {
      if (isObject(objectAt(g.resource, 'spec')['restart']))
        yield {
          path: ['spec', 'restart'],
          problem: 'spec.restart in a manifest restarts the graph again wherever it is created from Git',
          found: quote(findString(g.resource, 'spec', 'restart', 'id') ?? ''),
          change: 'patch it on the running graph and keep it out of the manifest',
        };
    },
    title: 'restart request in a manifest',
    why: 'A restart is an event, a manifest is a state. Later releases refuse to create a graph that carries one.',
    allowed: 'No spec.restart in manifests kept in Git.',
    fix: 'Remove it from the manifest and patch the running graph.',
    example: () => ({ bad: [graph(plain, { restart: { id: 'monday' } })], good: [graph(plain)] }),
  },
  {
    id: 'DYN-LIFE-002',
    severity: 'warning',
    on: 'graph',
    check: changed,
    contextual: true,
    title: 'change that a running graph cannot take',
    why: 'The webhook refuses to add or remove services, to change the backend or to switch between one node and several.',
    allowed: 'Any other change, or a new graph name.',
    fix: 'Give the graph a new name and move the traffic over. The rule needs the manifests as they were applied: `lint -f NEW --previous OLD`; `validate -f NEW --old OLD` says what the webhook would.',
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
    check: versions,
    also: { kinds: ['DynamoGraphDeploymentRequest'], check: requestImages },
    title: 'image that cannot be read or is not of the target release',
    why: 'A placeholder cannot be pulled; an unpinned tag changes under a running graph; a runtime of another release takes other flags and speaks another protocol.',
    allowed:
      'A release tag or a digest. Another release is an error when the target release is given (in code, or --release), a warning when it is not.',
    fix: 'Pin the image to the release of the platform.',
    example: () => ({
      bad: [graph({ ...plain, Frontend: frontend({ image: 'my-registry/vllm-runtime:my-tag' }) })],
      good: [graph(plain)],
    }),
  },
];
