import { dynamoNamespace, kindOf, nameOf, namespaceOf } from '../../api/index.ts';
import { discoveryServiceNames, serviceObjectName } from '../../render/index.ts';
import { findString, type JsonObject } from '../../json/index.ts';
import { quote, type Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

const groveBudget = 45;
const namePath = ['metadata', 'name'];

/** Whether Grove starts this graph: yes, no, or unknown. */
function underGrove(graph: GraphView, around: LintIndex): boolean | undefined {
  if (findString(graph.resource, 'metadata', 'annotations', 'nvidia.com/enable-grove')?.toLowerCase() === 'false') return false;
  const { orchestrator } = around.context;
  return orchestrator === undefined ? undefined : orchestrator.startsWith('grove');
}

function* grove(graph: GraphView, around: LintIndex): Iterable<Draft> {
  const grovePath = underGrove(graph, around);
  if (!graph.isGraph || grovePath === false) return;
  const severity = grovePath === undefined ? 'warning' : 'error';
  const long = graph.components.flatMap((c) => {
    const parts = c.nodes > 1 ? graph.name.length + 2 * c.key.length + 4 : graph.name.length + c.key.length;
    return parts > groveBudget ? [{ c, parts }] : [];
  });
  const [worst] = long.toSorted((x, y) => y.parts - x.parts);
  if (worst === undefined) return;
  const { c, parts } = worst;
  const formula = c.nodes > 1 ? `${graph.name.length} + 2 x ${c.key.length} + 4` : `${graph.name.length} + ${c.key.length}`;
  const role = c.flagRole ?? c.declaredRole;
  const shorter = role !== undefined && role.length < c.key.length ? `, such as ${role} for the service` : '';
  const one = long.length === 1;
  yield {
    path: one ? c.path : namePath,
    problem: `names of graph and service are too long for Grove: at most ${groveBudget} characters`,
    found: one ? `${parts} (${formula})` : `${parts} with ${quote(c.key)} (${formula}), and ${long.length - 1} more above it`,
    change: one ? `shorten one of them${shorter}` : `shorten the name of the graph by ${parts - groveBudget}`,
    severity,
  };
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

function* generated(graph: GraphView, around: LintIndex): Iterable<Draft> {
  const { name, namespace } = graph;
  const longestName = (service: string): string =>
    underGrove(graph, around) === true ? service : discoveryServiceNames(service).production;
  if (!label.test(name))
    yield {
      path: namePath,
      problem:
        'name must start with a letter and hold only lower-case letters, digits and dashes, since Services are named after it',
      found: quote(name),
      change: 'rename the graph',
    };
  if (!graph.isGraph) return;
  const labelValue = dynamoNamespace(namespace, name, false);
  const services = graph.components.map((c) => ({ c, service: longestName(serviceObjectName(name, c.key)) }));
  const long = services.filter(({ service }) => service.length > 63);
  const [longest] = long.toSorted((x, y) => y.service.length - x.service.length);
  const single = long.length === 1 && labelValue.length <= 63 ? long[0] : undefined;
  if (single === undefined && (labelValue.length > 63 || longest !== undefined)) {
    const over = Math.max(labelValue.length, longest?.service.length ?? 0) - 63;
    yield {
      path: namePath,
      problem: 'names and labels made of namespace, graph and services are at most 63 characters',
      found:
        longest === undefined || labelValue.length > longest.service.length
          ? `${labelValue.length} (${quote(labelValue)})`
          : `${longest.service.length} (${quote(longest.service)})`,
      change: `shorten the name of the graph by ${over}`,
    };
  }
  for (const { c, service } of services) {
    if (!/^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$/.test(c.key))
      yield {
        path: c.path,
        problem: 'service key becomes part of object names: letters, digits and dashes only',
        found: quote(c.key),
        change: 'rename the service',
      };
    else if (c === single?.c)
      yield {
        path: c.path,
        problem: 'Service names made of graph and service are at most 63 characters',
        found: `${service.length} (${quote(service)})`,
        change: 'shorten the graph or the service',
      };
  }
}

function* requestName(object: JsonObject): Iterable<Draft> {
  const name = nameOf(object);
  if (name.length > 55)
    yield {
      path: namePath,
      problem: 'name of a request is at most 55 characters, its Job is named profile-<name>',
      found: `${name.length}`,
      change: 'shorten it',
    };
}

/** The first resource of the same kind, namespace and name that comes before this one. */
function earlier(resource: JsonObject, around: LintIndex): JsonObject | undefined {
  const twins = around.named(kindOf(resource), namespaceOf(resource, around.namespace), nameOf(resource));
  return twins[0] === resource || !twins.includes(resource) ? undefined : twins[0];
}

function* twins(graph: GraphView, around: LintIndex): Iterable<Draft> {
  const seen = new Map<string, string>();
  for (const c of graph.isGraph ? graph.components : []) {
    const first = seen.get(c.key.toLowerCase());
    if (first !== undefined)
      yield {
        path: c.path,
        problem: `services ${quote(first)} and ${quote(c.key)} get the same object names, which are lower case`,
        change: 'rename one of them',
      };
    seen.set(c.key.toLowerCase(), c.key);
  }
  if (earlier(graph.resource, around))
    yield {
      path: namePath,
      problem: `another ${kindOf(graph.resource)} has this name in namespace ${graph.namespace}, and the last one applied wins`,
      found: quote(graph.name),
      change: 'give each its own name',
    };
}

const longName = 'a-very-long-name-for-a-graph-of-workers';
const cm = (value: string) => object('v1', 'ConfigMap', 'llm-config', { data: { 'config.yaml': value } });

/** Rules about names. */
export const nameRules: readonly Rule[] = [
  {
    id: 'DYN-NAME-001',
    severity: 'error',
    on: 'graph',
    check: grove,
    contextual: true,
    title: 'graph and service names too long for Grove',
    why: 'Grove builds pod names from both and refuses graphs whose names exceed 45 characters in all; multinode services count twice, plus 4 for the role.',
    allowed:
      'length of graph + service up to 45; multinode: graph + 2 x service + 4 up to 45. A warning where lint does not know whether Grove is used.',
    fix: 'Use short service names such as `prefill` and `decode`.',
    example: () => ({
      context: { orchestrator: 'grove' },
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) }, {}, { name: longName })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-NAME-002',
    severity: 'error',
    on: 'graph',
    check: generated,
    covers: ['DYN-API-001', 'DYN-API-002', 'DYN-NAME-001'],
    also: { kinds: ['DynamoGraphDeploymentRequest'], check: requestName },
    title: 'name from which invalid object names follow',
    why: 'Services, Jobs and labels are named after the graph and its services. The API server refuses them, and the graph stays half made.',
    allowed:
      'Graph names that are DNS-1035 labels; services of letters, digits and dashes; `<graph>-<service>-p` and `<namespace>-<graph>` up to 63 characters; request names up to 55.',
    fix: 'Rename the graph, the service or the request.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), vllm_worker: worker('vllm', vllmModel) })],
      good: [graph({ Frontend: frontend(), worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-NAME-003',
    severity: 'error',
    on: 'graph',
    check: twins,
    contextual: true,
    title: 'two services or two graphs with one name',
    why: 'Services that differ only in case share their objects, and of two graphs with one name the last applied replaces the first.',
    allowed: 'Names unique in lower case within a graph; one graph of a name per namespace.',
    fix: 'Rename one of them.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel), worker: worker('vllm', vllmModel) })],
      good: [graph({ Frontend: frontend(), WorkerA: worker('vllm', vllmModel), WorkerB: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-NAME-004',
    severity: 'error',
    on: 'graph',
    check: function* (g) {
      const hash = /-c[0-9a-f]{7}$/.exec(g.name);
      if (hash)
        yield {
          path: namePath,
          problem: 'name ends in a cdk8s hash, which uses up the name budget and changes with the construct tree',
          found: quote(g.name),
          change: `name it ${quote(g.name.slice(0, hash.index))}`,
        };
    },
    title: 'graph named by a cdk8s hash',
    why: 'The default name of a cdk8s object holds the chart path and a hash. It leaves few characters for services and changes when the construct moves, which makes a new graph.',
    allowed: 'A name you choose.',
    fix: 'Set the name; DynamoGraph uses the construct id as it is.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) }, {}, { name: 'prod-demo-c880deca' })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-NAME-005',
    severity: 'error',
    on: 'object',
    kinds: ['ConfigMap', 'Secret', 'Job', 'PersistentVolumeClaim'],
    check: function* (o, around) {
      if (earlier(o, around))
        yield {
          path: namePath,
          problem: `another ${kindOf(o)} has this name in namespace ${namespaceOf(o, around.namespace)}, and the last one applied wins`,
          found: quote(nameOf(o)),
          change: 'prefix it with the name of its graph',
        };
    },
    title: 'companion objects of one name',
    why: 'Recipes name their ConfigMaps, Jobs and claims alike. In one namespace the last applied replaces the others, and a graph starts with another graph’s engine file.',
    allowed: 'One object of a kind and name per namespace.',
    fix: 'Prefix the names with the graph.',
    example: () => ({
      bad: [cm('a: 1'), cm('a: 2')],
      good: [cm('a: 1'), object('v1', 'ConfigMap', 'demo-llm-config', { data: {} })],
    }),
  },
];
