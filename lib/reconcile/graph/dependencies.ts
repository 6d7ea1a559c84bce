import type { KubernetesObject } from '../../api/index.ts';
import { append } from '../../json/index.ts';
import { account } from '../../render/index.ts';
import { adapterPlan } from './adapters.ts';
import { boundAccountPlan } from './bound-account.ts';
import { inParallel, syncChild } from '../child.ts';
import { failureOf, liveOf, renderedOf, type GraphPass, type StagePlan } from './graph-pass.ts';
import { kinds } from '../kinds.ts';
import { keyOf } from '../metadata.ts';
import { mpiSecretPlan } from './mpi-secret.ts';

const claimsChain = 'failed to reconcile top-level PVCs: ';
const discoveryChain = 'failed to reconcile K8s discovery resources: ';
const pickerChain = 'failed to reconcile EPP resources: ';

/** Stages for the objects that the workloads of a graph depend on, in the original's order. */
const stages: readonly ((pass: GraphPass) => StagePlan)[] = [
  (pass) =>
    boundAccountPlan(pass, {
      name: account.planner,
      role: pass.snapshot.config.plannerClusterRole,
      chain: 'failed to ensure planner RBAC: ',
      bare: 'planner ClusterRole name is required',
    }),
  (pass) =>
    hasEndpointPicker(pass)
      ? boundAccountPlan(pass, {
          name: account.epp,
          role: pass.snapshot.config.eppClusterRole,
          chain: 'failed to ensure EPP RBAC: ',
          bare: 'EPP ClusterRole name is required',
        })
      : { steps: [] },
  claimPlan,
  adapterPlan,
  discoveryPlan,
  pickerPlan,
  mpiSecretPlan,
];

/** Writes of the stages up to the first that fails. */
export function dependenciesPlan(pass: GraphPass): StagePlan {
  const steps: StagePlan['steps'][number][] = [];
  for (const stage of stages) {
    const plan = stage(pass);
    append(steps, plan.steps);
    if (plan.failure !== undefined) return { steps, failure: plan.failure };
  }
  return { steps };
}

function hasEndpointPicker({ graph }: GraphPass): boolean {
  return Object.values(graph.spec?.services ?? {}).some((component) => component?.componentType === 'epp');
}

/** Claims are created in the order they are listed, and never changed. The first one that must exist and does not ends the pass. */
function claimPlan(pass: GraphPass): StagePlan {
  const missing = pass.rendering.issues.find(({ chain }) => chain.startsWith(claimsChain));
  const end = missing === undefined ? Infinity : Number(missing.path[2]);
  const claims = pass.rendering.objects.filter(
    ({ object, origin }) => object.kind === 'PersistentVolumeClaim' && Number(origin[2]) < end,
  );
  const step = claims.map(({ object }) => ({
    write: { verb: 'create', target: keyOf(object), object } as const,
    chain: claimsChain,
  }));
  return { steps: [step], ...(missing && { failure: missing.chain }) };
}

const discoveryNames: Readonly<Record<string, string>> = {
  ServiceAccount: 'service account',
  Role: 'role',
  RoleBinding: 'role binding',
};

function discoveryPlan(pass: GraphPass): StagePlan {
  const owned = pass.rendering.objects.flatMap(({ object, owner }) =>
    owner !== undefined && Object.hasOwn(discoveryNames, object.kind) ? [object] : [],
  );
  const chain = ({ kind }: KubernetesObject): string =>
    `${discoveryChain}failed to sync the k8s discovery ${discoveryNames[kind]}: `;
  // RBAC checks the rules of a role before it allows somebody without the verb `bind` to refer to it, so the role must exist first.
  // https://kubernetes.io/docs/reference/access-authn-authz/rbac/#restrictions-on-role-binding-creation-or-update
  const isBinding = ({ kind }: KubernetesObject): boolean => kind === kinds.roleBinding.kind;
  const bound = childrenPlan(
    pass,
    owned.filter((object) => !isBinding(object)),
    chain,
  );
  if (bound.failure !== undefined) return bound;
  const bindings = childrenPlan(pass, owned.filter(isBinding), chain);
  return { ...bindings, steps: [...bound.steps, ...bindings.steps] };
}

function pickerPlan(pass: GraphPass): StagePlan {
  const failure = failureOf(pass, pickerChain);
  if (failure !== undefined) return { steps: [], failure };
  const objects = renderedOf(pass, 'ConfigMap', 'InferencePool');
  return childrenPlan(pass, objects, ({ kind }) => `${pickerChain}failed to sync EPP ${kind}: `);
}

function childrenPlan(
  pass: GraphPass,
  objects: readonly KubernetesObject[],
  chain: (object: KubernetesObject) => string,
): StagePlan {
  const syncs = objects.map((object) => syncChild(object, liveOf(pass, object), { parent: pass.resource, chain: chain(object) }));
  const failure = syncs.find(({ problem }) => problem !== undefined)?.problem;
  return { steps: inParallel(syncs), ...(failure !== undefined && { failure }) };
}
