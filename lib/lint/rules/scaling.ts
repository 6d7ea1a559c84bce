import { serviceObjectName } from '../../render/index.ts';
import { findString, type JsonObject, valueAt } from '../../json/index.ts';
import type { ComponentView } from '../component-view.ts';
import { quote, type Draft } from '../finding.ts';
import { engineWorkers, type GraphView } from '../graph-view.ts';
import { nameOf, namespaceOf } from '../../api/index.ts';
import { showValue } from '../../manifest/index.ts';
import type { Rule } from '../rule.ts';
import { decode, frontend, graph, object, prefill, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

const scalers = ['HorizontalPodAutoscaler', 'ScaledObject'];
const adapterKind = 'DynamoGraphDeploymentScalingAdapter';

function hasAdapter(c: ComponentView): boolean {
  return valueAt(c.spec, 'scalingAdapter', 'enabled') === true;
}

function targetOf(scaler: JsonObject): { readonly kind: string; readonly name: string } {
  return {
    kind: findString(scaler, 'spec', 'scaleTargetRef', 'kind') ?? 'Deployment',
    name: findString(scaler, 'spec', 'scaleTargetRef', 'name') ?? '',
  };
}

/** The component that a scaler targets, in the graphs of the run. */
function componentOf(
  scaler: JsonObject,
  lintIndex: LintIndex,
): { readonly graph: GraphView; readonly component: ComponentView } | undefined {
  const namespace = namespaceOf(scaler, lintIndex.namespace);
  for (const g of lintIndex.graphs.filter((x) => x.namespace === namespace)) {
    const component = g.components.find((c) => serviceObjectName(g.name, c.key) === targetOf(scaler).name);
    if (component) return { graph: g, component };
  }
  return undefined;
}

function* checkScaler(scaler: JsonObject, lintIndex: LintIndex): Iterable<Draft> {
  const scaled = componentOf(scaler, lintIndex);
  if (scaled === undefined) return;
  const path = ['spec', 'scaleTargetRef'];
  const { kind, name } = targetOf(scaler);
  if (kind !== adapterKind)
    yield {
      path: [...path, 'kind'],
      problem: `the operator reverts the replicas that a scaler sets on its ${kind}`,
      found: kind,
      change: `target ${adapterKind} ${name} with apiVersion nvidia.com/v1alpha1`,
    };
  if (!hasAdapter(scaled.component))
    yield {
      path,
      problem: `${scaled.component.key} has no scaling adapter`,
      found: 'scalingAdapter not enabled',
      change: `set spec.services.${scaled.component.key}.scalingAdapter.enabled to true`,
    };
  const all = scalers
    .flatMap((k) => lintIndex.ofKind(k, scaled.graph.namespace))
    .filter((s) => componentOf(s, lintIndex)?.component === scaled.component);
  if (all[0] !== scaler && all.includes(scaler))
    yield {
      path,
      problem: `${scaled.component.key} has two scalers, which override each other`,
      found: `${nameOf(all[0] ?? {})} and ${nameOf(scaler)}`,
      change: 'keep one',
    };
  if (scaled.component.engine !== undefined && scaled.graph.components.some((c) => c.type === 'planner'))
    yield {
      path,
      problem: `the planner of graph ${scaled.graph.name} also scales ${scaled.component.key}`,
      found: quote(nameOf(scaler)),
      change: 'remove the scaler or the planner',
    };
}

function* fixedReplicas(graph: GraphView): Iterable<Draft> {
  const planned = graph.components.some((c) => c.type === 'planner');
  for (const c of graph.components) {
    const byPlanner = planned && c.engine !== undefined;
    if (c.spec['replicas'] === undefined || (!hasAdapter(c) && !byPlanner)) continue;
    yield {
      path: [...c.path, 'replicas'],
      problem: `${hasAdapter(c) ? 'the scaling adapter' : 'the planner'} sets replicas, and applying the manifest resets it`,
      found: showValue(c.replicas),
      change: 'remove the field, or configure the GitOps tool to ignore it',
    };
  }
}

/** An adapter whose graph is in the run and lacks the service. */
function* checkAdapter(adapter: JsonObject, lintIndex: LintIndex): Iterable<Draft> {
  const [graphName, service] = ['name', 'serviceName'].map((key) => findString(adapter, 'spec', 'dgdRef', key) ?? '');
  const namespace = namespaceOf(adapter, lintIndex.namespace);
  const graphs = lintIndex.graphs.filter((g) => g.namespace === namespace && g.name === graphName);
  if (graphs.length !== 1) return;
  const names = graphs.flatMap(({ components }) => components.map(({ key }) => key));
  if (service === undefined || service === '' || names.includes(service)) return;
  yield {
    path: ['spec', 'dgdRef', 'serviceName'],
    problem: `graph ${graphName} has no such service, so the adapter scales nothing`,
    found: quote(service),
    change: `name one of its services: ${names.join(', ')}`,
  };
}

const adapter = (serviceName: string) =>
  object('nvidia.com/v1alpha1', adapterKind, 'demo-worker', { spec: { replicas: 2, dgdRef: { name: 'demo', serviceName } } });
const hpa = (name: string, kind: string) =>
  object('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
    spec: {
      scaleTargetRef: { apiVersion: kind === adapterKind ? 'nvidia.com/v1alpha1' : 'apps/v1', kind, name: 'demo-worker' },
      minReplicas: 1,
      maxReplicas: 4,
    },
  });
const scaledGraph = (enabled: boolean) =>
  graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, { scalingAdapter: { enabled } }) });

/** Rules about scaling. */
export const scalingRules: readonly Rule[] = [
  {
    id: 'DYN-SCALE-001',
    severity: 'error',
    on: 'object',
    kinds: scalers,
    check: checkScaler,
    contextual: true,
    title: 'autoscaler without a scaling adapter, or two scalers on one component',
    why: 'Only the scaling adapter may change the replicas of a component. The operator reverts the changes of a scaler on the Deployment, and two scalers, or a scaler and the planner, override each other.',
    allowed: `One HorizontalPodAutoscaler or ScaledObject per component, with ${adapterKind} <graph>-<service> as its target, scalingAdapter.enabled on the component and no planner in the graph.`,
    fix: 'Enable the scaling adapter and set it as the target of the scaler.',
    example: () => ({
      bad: [hpa('worker', 'Deployment'), scaledGraph(false)],
      good: [hpa('worker', adapterKind), scaledGraph(true)],
    }),
  },
  {
    id: 'DYN-SCALE-002',
    severity: 'warning',
    on: 'graph',
    check: fixedReplicas,
    title: 'fixed replicas on a component that the planner or an autoscaler scales',
    why: 'Each sync from Git resets replicas, and the planner or scaler changes it again.',
    allowed: 'No replicas in the manifest, or an ignore rule for the field in the GitOps tool.',
    fix: 'Remove replicas, or use the ignore rules that `dynamo-cdk8s gitops` writes.',
    example: () => ({
      bad: [scaledGraph(true)],
      good: [
        graph({
          Frontend: frontend(),
          Worker: { ...worker('vllm', vllmModel, { scalingAdapter: { enabled: true } }), replicas: undefined },
        }),
      ],
    }),
  },
  {
    id: 'DYN-SCALE-003',
    severity: 'warning',
    on: 'graph',
    check: function* (g) {
      const workers = engineWorkers(g);
      if (workers.length > 0 && workers.every((c) => c.replicas === 0))
        yield {
          path: [...(workers[0]?.path ?? []), 'replicas'],
          problem: 'all workers are scaled to zero, so the model is not registered and the frontend returns 404',
          found: workers.map((c) => c.key).join(', '),
          change: 'keep one replica of each role',
        };
    },
    title: 'every worker scaled to zero',
    why: 'The frontend knows a model only while a worker registers it. Without workers, it does not queue requests but answers that the model is unknown.',
    allowed: 'At least one worker with one or more replicas.',
    fix: 'Set replicas to 1 or more.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), P: prefill([], { replicas: 0 }), D: decode([], { replicas: 0 }) })],
      good: [graph({ Frontend: frontend(), P: prefill(), D: decode() })],
    }),
  },
  {
    id: 'DYN-SCALE-004',
    severity: 'error',
    on: 'object',
    kinds: [adapterKind],
    check: checkAdapter,
    contextual: true,
    title: 'scaling adapter for a service that the graph does not have',
    why: 'The operator finds no service to scale, and retries. The name is that of the service in spec.services, with the same case.',
    allowed: 'The name of a service of the graph in dgdRef.serviceName.',
    fix: 'Correct dgdRef.serviceName. The operator creates the adapters of services with scalingAdapter.enabled itself.',
    example: () => ({
      bad: [adapter('worker'), scaledGraph(true)],
      good: [adapter('Worker'), scaledGraph(true)],
    }),
  },
];
