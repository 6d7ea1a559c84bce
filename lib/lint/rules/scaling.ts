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

/** The component a scaler's target stands for, among the graphs given. */
function componentOf(
  scaler: JsonObject,
  around: LintIndex,
): { readonly graph: GraphView; readonly component: ComponentView } | undefined {
  const namespace = namespaceOf(scaler, around.namespace);
  for (const g of around.graphs.filter((x) => x.namespace === namespace)) {
    const component = g.components.find((c) => serviceObjectName(g.name, c.key) === targetOf(scaler).name);
    if (component) return { graph: g, component };
  }
  return undefined;
}

function* target(scaler: JsonObject, around: LintIndex): Iterable<Draft> {
  const hit = componentOf(scaler, around);
  if (hit === undefined) return;
  const path = ['spec', 'scaleTargetRef'];
  const { kind, name } = targetOf(scaler);
  if (kind !== adapterKind)
    yield {
      path: [...path, 'kind'],
      problem: `the operator undoes what a scaler sets on its ${kind}`,
      found: kind,
      change: `target ${adapterKind} ${name} with apiVersion nvidia.com/v1alpha1`,
    };
  if (!hasAdapter(hit.component))
    yield {
      path,
      problem: `${hit.component.key} has no scaling adapter to scale`,
      found: 'scalingAdapter not enabled',
      change: `set spec.services.${hit.component.key}.scalingAdapter.enabled to true`,
    };
  const all = scalers
    .flatMap((k) => around.ofKind(k, hit.graph.namespace))
    .filter((s) => componentOf(s, around)?.component === hit.component);
  if (all[0] !== scaler && all.includes(scaler))
    yield {
      path,
      problem: `${hit.component.key} has two scalers that undo each other`,
      found: `${nameOf(all[0] ?? {})} and ${nameOf(scaler)}`,
      change: 'keep one',
    };
  if (hit.component.engine !== undefined && hit.graph.components.some((c) => c.type === 'planner'))
    yield {
      path,
      problem: `the planner of graph ${hit.graph.name} scales ${hit.component.key} already`,
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
      problem: `replicas is owned by ${hasAdapter(c) ? 'the scaling adapter' : 'the planner'}, and applying the manifest sets it back`,
      found: showValue(c.replicas),
      change: 'have the GitOps tool ignore this field, or leave it out',
    };
  }
}

const hpa = (name: string, kind: string) =>
  object('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
    spec: {
      scaleTargetRef: { apiVersion: kind === adapterKind ? 'nvidia.com/v1alpha1' : 'apps/v1', kind, name: 'demo-worker' },
      minReplicas: 1,
      maxReplicas: 4,
    },
  });
const scaled = (enabled: boolean) =>
  graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, { scalingAdapter: { enabled } }) });

/** Rules about scaling. */
export const scalingRules: readonly Rule[] = [
  {
    id: 'DYN-SCALE-001',
    severity: 'error',
    on: 'object',
    kinds: scalers,
    check: target,
    contextual: true,
    title: 'autoscaler without a scaling adapter, or two scalers on one component',
    why: 'Only the scaling adapter may change replicas of a component. A scaler on the Deployment, or a second one, fights with the operator or the planner.',
    allowed: `One HorizontalPodAutoscaler or ScaledObject per component that targets ${adapterKind} <graph>-<service>, with scalingAdapter.enabled on the component and no planner.`,
    fix: 'Enable the adapter and point the scaler at it.',
    example: () => ({ bad: [hpa('worker', 'Deployment'), scaled(false)], good: [hpa('worker', adapterKind), scaled(true)] }),
  },
  {
    id: 'DYN-SCALE-002',
    severity: 'warning',
    on: 'graph',
    check: fixedReplicas,
    title: 'fixed replicas on a component that something else scales',
    why: 'Each sync from Git sets the number back, and the planner or scaler changes it again.',
    allowed: 'replicas left out, or an ignore rule for it in the GitOps tool.',
    fix: 'Use the ignore rules that `dynamo-cdk8s gitops` writes.',
    example: () => ({
      bad: [scaled(true)],
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
          problem: 'all workers are scaled to zero, so the frontend forgets the model and answers 404',
          found: workers.map((c) => c.key).join(', '),
          change: 'keep one replica of each role',
        };
    },
    title: 'every worker scaled to zero',
    why: 'A model exists for the frontend only while a worker registers it. Clients get an unknown model, not a wait.',
    allowed: 'At least one replica of some worker.',
    fix: 'Keep one replica.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), P: prefill([], { replicas: 0 }), D: decode([], { replicas: 0 }) })],
      good: [graph({ Frontend: frontend(), P: prefill(), D: decode() })],
    }),
  },
];
