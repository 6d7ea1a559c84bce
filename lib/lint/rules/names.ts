import { dynamoNamespace, kindOf, metadataIssues, nameOf, namespaceOf } from '../../api/index.ts';
import { discoveryServiceNames, serviceObjectName } from '../../render/index.ts';
import { findString, type JsonObject, objectAt, stringAt, valueAt } from '../../json/index.ts';
import { quote, type Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

const groveLimit = 45;
const namePath = ['metadata', 'name'];

/** Whether Grove creates the pods of a graph; undefined when unknown. */
function usesGrove(graph: GraphView, lintIndex: LintIndex): boolean | undefined {
  if (findString(graph.resource, 'metadata', 'annotations', 'nvidia.com/enable-grove')?.toLowerCase() === 'false') return false;
  const { orchestrator } = lintIndex.context;
  return orchestrator === undefined ? undefined : orchestrator.startsWith('grove');
}

function* groveNames(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const onGrove = usesGrove(graph, lintIndex);
  if (!graph.isGraph || onGrove === false) return;
  const severity = onGrove === undefined ? 'warning' : 'error';
  const tooLong = graph.components.flatMap((c) => {
    const length = c.nodes > 1 ? graph.name.length + 2 * c.key.length + 4 : graph.name.length + c.key.length;
    return length > groveLimit ? [{ c, length }] : [];
  });
  const [longest] = tooLong.toSorted((x, y) => y.length - x.length);
  if (longest === undefined) return;
  const { c, length } = longest;
  const formula = c.nodes > 1 ? `${graph.name.length} + 2 x ${c.key.length} + 4` : `${graph.name.length} + ${c.key.length}`;
  const role = c.flagRole ?? c.declaredRole;
  const shorter = role !== undefined && role.length < c.key.length ? `, such as ${role} for the service` : '';
  const one = tooLong.length === 1;
  yield {
    path: one ? c.path : namePath,
    problem: `names of graph and service must have at most ${groveLimit} characters for Grove`,
    found: one
      ? `${length} (${formula})`
      : `${length} with ${quote(c.key)} (${formula}), and ${tooLong.length - 1} more services above the limit`,
    change: one ? `shorten one of them${shorter}` : `shorten the name of the graph by ${length - groveLimit} characters`,
    severity,
  };
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const graphName =
  'name must start with a letter and contain only lower-case letters, digits and dashes, since it is part of Service names';

function* generatedNames(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const { name, namespace } = graph;
  const longestName = (service: string): string =>
    usesGrove(graph, lintIndex) === true ? service : discoveryServiceNames(service).production;
  if (!label.test(name))
    yield {
      path: namePath,
      problem: graphName,
      found: quote(name),
      change: 'rename the graph',
    };
  if (!graph.isGraph) return;
  const labelValue = dynamoNamespace(namespace, name, false);
  const services = graph.components.map((c) => ({ c, service: longestName(serviceObjectName(name, c.key)) }));
  const tooLong = services.filter(({ service }) => service.length > 63);
  const [longest] = tooLong.toSorted((x, y) => y.service.length - x.service.length);
  const single = tooLong.length === 1 && labelValue.length <= 63 ? tooLong[0] : undefined;
  if (single === undefined && (labelValue.length > 63 || longest !== undefined)) {
    const over = Math.max(labelValue.length, longest?.service.length ?? 0) - 63;
    yield {
      path: namePath,
      problem: 'names and labels that contain the names of namespace, graph and service must have at most 63 characters',
      found:
        longest === undefined || labelValue.length > longest.service.length
          ? `${labelValue.length} (${quote(labelValue)})`
          : `${longest.service.length} (${quote(longest.service)})`,
      change: `shorten the name of the graph by ${over} characters`,
    };
  }
  for (const { c, service } of services) {
    if (!/^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$/.test(c.key))
      yield {
        path: c.path,
        problem: 'the name of a service is part of object names and may contain only letters, digits and dashes',
        found: quote(c.key),
        change: 'rename the service',
      };
    else if (c === single?.c)
      yield {
        path: c.path,
        problem: 'the Service name, made of graph and service, must have at most 63 characters',
        found: `${service.length} (${quote(service)})`,
        change: 'shorten the name of the graph or the service',
      };
  }
}

function* requestName(object: JsonObject): Iterable<Draft> {
  const name = nameOf(object);
  if (name.length > 55)
    yield {
      path: namePath,
      problem: 'the name of a request must have at most 55 characters, since its Job is named profile-<name>',
      found: `${name.length}`,
      change: 'shorten the name',
    };
  yield* overrides(object);
}

/** The API server refuses a graph with invalid metadata, which would be noticed only when the profiler is done. */
function* overrides(object: JsonObject): Iterable<Draft> {
  const at = ['spec', 'deploymentOverrides'];
  const given = objectAt(object, ...at);
  const name = stringAt(given, 'name');
  // Without autoApply nobody creates the graph.
  const severity = valueAt(object, 'spec', 'autoApply') === true ? 'error' : 'warning';
  const change = 'correct it before the model is profiled';
  if (name !== '' && !label.test(name)) yield { path: [...at, 'name'], problem: graphName, found: quote(name), change, severity };
  for (const { path, message } of metadataIssues({ ...given, name: 'graph' }, at))
    yield { path, problem: message, change, severity };
}

/** The first resource with the same kind, namespace and name, if it comes before this one. */
function earlierDuplicate(resource: JsonObject, lintIndex: LintIndex): JsonObject | undefined {
  const duplicates = lintIndex.named(kindOf(resource), namespaceOf(resource, lintIndex.namespace), nameOf(resource));
  return duplicates[0] === resource || !duplicates.includes(resource) ? undefined : duplicates[0];
}

function* duplicateNames(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const seen = new Map<string, string>();
  for (const c of graph.isGraph ? graph.components : []) {
    const first = seen.get(c.key.toLowerCase());
    if (first !== undefined)
      yield {
        path: c.path,
        problem: `services ${quote(first)} and ${quote(c.key)} have the same object names, which are lower case`,
        change: 'rename one of them',
      };
    seen.set(c.key.toLowerCase(), c.key);
  }
  if (earlierDuplicate(graph.resource, lintIndex))
    yield {
      path: namePath,
      problem: `another ${kindOf(graph.resource)} in namespace ${graph.namespace} has this name, and the last one applied replaces the others`,
      found: quote(graph.name),
      change: 'rename one of them',
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
    check: groveNames,
    contextual: true,
    title: 'graph and service names too long for Grove',
    why: 'Pod names on Grove contain the names of the graph and the service. Grove refuses graphs in which these exceed 45 characters in total. The name of a multinode service counts twice, plus 4 characters for the role.',
    allowed:
      'graph + service up to 45 characters; for multinode services, graph + 2 x service + 4 up to 45. A warning if the orchestrator is unknown.',
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
    check: generatedNames,
    covers: ['DYN-API-001', 'DYN-API-002', 'DYN-NAME-001'],
    also: { kinds: ['DynamoGraphDeploymentRequest'], check: requestName },
    title: 'name that results in invalid object names',
    why: 'Names of Services and Jobs, and label values, contain the names of the graph and its services. The API server refuses invalid ones, and the graph remains incomplete.',
    allowed:
      'Graph names that are DNS-1035 labels (https://kubernetes.io/docs/concepts/overview/working-with-objects/names/); service names of letters, digits and dashes; `<graph>-<service>-p` and `<namespace>-<graph>` up to 63 characters; request names up to 55 characters; metadata in deploymentOverrides that a graph can have.',
    fix: 'Rename the graph, the service or the request, or correct deploymentOverrides.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), vllm_worker: worker('vllm', vllmModel) })],
      good: [graph({ Frontend: frontend(), worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-NAME-003',
    severity: 'error',
    on: 'graph',
    check: duplicateNames,
    contextual: true,
    title: 'two services or two graphs with the same name',
    why: 'Services whose names differ only in case share their objects. Of two graphs with the same name, the last one applied replaces the first.',
    allowed: 'Service names that differ in more than case within a graph; unique graph names per namespace.',
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
          problem: 'name ends in a cdk8s hash, which makes it long and changes with the construct tree',
          found: quote(g.name),
          change: `set the name to ${quote(g.name.slice(0, hash.index))}`,
        };
    },
    title: 'graph name with a cdk8s hash',
    why: 'The default name of a cdk8s object consists of the construct path and a hash. It leaves few characters for service names, and it changes when the construct moves, which creates a new graph.',
    allowed: 'An explicit name.',
    fix: 'Set the name. DynamoGraph uses the construct id without a hash.',
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
    check: function* (o, lintIndex) {
      if (earlierDuplicate(o, lintIndex))
        yield {
          path: namePath,
          problem: `another ${kindOf(o)} in namespace ${namespaceOf(o, lintIndex.namespace)} has this name, and the last one applied replaces the others`,
          found: quote(nameOf(o)),
          change: 'prefix it with the name of its graph',
        };
    },
    title: 'two ConfigMaps, Secrets, Jobs or claims with the same name',
    why: 'The recipes of Dynamo use the same names for their ConfigMaps, Jobs and claims. In one namespace the last one applied replaces the others, and a graph starts with the engine file of another graph.',
    allowed: 'Unique names per kind and namespace.',
    fix: 'Prefix the names with the name of the graph.',
    example: () => ({
      bad: [cm('a: 1'), cm('a: 2')],
      good: [cm('a: 1'), object('v1', 'ConfigMap', 'demo-llm-config', { data: {} })],
    }),
  },
];
