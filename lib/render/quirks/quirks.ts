import type { Path } from '../../json/index.ts';
import { discoveryBackend } from '../discovery-backend.ts';
import { annotation, label } from '../label-keys.ts';
import { isPython } from '../multinode/inject.ts';
import { vllmPlan } from '../multinode/vllm.ts';
import type { ComponentSetup } from './component-setup.ts';

/** A behaviour of the original operator that looks accidental and is kept, since manifests and running clusters depend on it. */
export interface Quirk {
  readonly id: string;
  /** What happens and what the author of the manifest can do. */
  readonly message: string;
  /** The paths, relative to the component, to which the quirk applies. */
  readonly when: (setup: ComponentSetup) => readonly Path[];
}

const isEmpty = (map: object | undefined): boolean => map === undefined || Object.keys(map).length === 0;
const mainOf = ({ component }: ComponentSetup) => component.extraPodSpec?.mainContainer;
const inMain = (...path: Path): Path => ['extraPodSpec', 'mainContainer', ...path];
const at = (condition: boolean, ...path: Path): readonly Path[] => (condition ? [path] : []);
const commandOf = (setup: ComponentSetup): readonly string[] => mainOf(setup)?.command ?? setup.defaults.command ?? [];
const probes = ['livenessProbe', 'readinessProbe'] as const;
const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;
const isGraph = ({ resource }: ComponentSetup): boolean => resource.kind === 'DynamoGraphDeployment';
const usesRay = (setup: ComponentSetup): boolean =>
  setup.nodes > 1 &&
  setup.framework === 'vllm' &&
  vllmPlan(mainOf(setup)?.args ?? [], setup.component.resources?.limits?.gpu).launch === 'ray';

/** Every quirk, in the order they are reported. */
export const quirks: readonly Quirk[] = [
  {
    id: 'service-labels-dropped',
    message: 'labels of a service are dropped without Grove; put labels for pods in extraPodMetadata.labels',
    when: (s) => at(isGraph(s) && s.runner !== 'grove' && !isEmpty(s.component.labels), 'labels'),
  },
  {
    id: 'gpu-request-ignored',
    message: 'a GPU request is never rendered, only the limit is; set resources.limits.gpu',
    when: ({ component }) => {
      const { requests, limits } = component.resources ?? {};
      return at(Boolean(requests?.gpu) && requests?.gpu !== limits?.gpu, 'resources', 'requests', 'gpu');
    },
  },
  {
    id: 'cache-root-unset',
    message:
      'VLLM_CACHE_ROOT is set only if the compilation cache has an explicit mountPoint; without one vLLM uses its own default path',
    when: ({ component, framework }) => {
      const index = component.volumeMounts?.findIndex((mount) => mount.useAsCompilationCache === true) ?? -1;
      return at(framework === 'vllm' && index >= 0 && !component.volumeMounts?.[index]?.mountPoint, 'volumeMounts', index);
    },
  },
  {
    id: 'probe-port-ignored',
    message:
      'a numeric port in a mainContainer probe is ignored and the named default port stays; set the probe on the component instead',
    when: (s) =>
      probes.flatMap((probe) =>
        at(
          s.component[probe] === undefined &&
            s.defaults[probe]?.httpGet !== undefined &&
            typeof mainOf(s)?.[probe]?.httpGet?.port === 'number',
          ...inMain(probe, 'httpGet', 'port'),
        ),
      ),
  },
  {
    id: 'probe-handlers-united',
    message:
      'a mainContainer probe is merged with the default one, which leaves two handlers and is rejected; set the probe on the component instead',
    when: (s) =>
      probes.flatMap((probe) => {
        const own = mainOf(s)?.[probe];
        const base = s.defaults[probe];
        if (s.component[probe] !== undefined || own === undefined || base === undefined) return [];
        return handlers.filter((kind) => own[kind] !== undefined && base[kind] === undefined).map((kind) => inMain(probe, kind));
      }),
  },
  {
    id: 'grace-zero-ignored',
    message: 'a termination grace period of 0 is ignored and the default stays; use 1 for the shortest',
    when: ({ component }) =>
      at(component.extraPodSpec?.terminationGracePeriodSeconds === 0, 'extraPodSpec', 'terminationGracePeriodSeconds'),
  },
  {
    id: 'picker-volumes-replaced',
    message:
      'volumes or mounts in extraPodSpec replace those of the endpoint picker, which then has no configuration; add epp-config and hf-cache to the list',
    when: (s) => {
      if (s.component.componentType !== 'epp') return [];
      const { volumes = [], mainContainer } = s.component.extraPodSpec ?? {};
      const mounts = mainContainer?.volumeMounts ?? [];
      return [...at(volumes.length > 0, 'extraPodSpec', 'volumes'), ...at(mounts.length > 0, ...inMain('volumeMounts'))];
    },
  },
  {
    id: 'ray-command-unquoted',
    message:
      'the Ray leader runs a shell command without its quotes, so only its first word reaches the inner shell; set command to python and pass the rest in args',
    when: (s) => {
      const shell = /(^|\/)(sh|bash)$/.test(commandOf(s)[0] ?? '');
      return at(usesRay(s) && shell, ...inMain(mainOf(s)?.command === undefined ? 'args' : 'command'));
    },
  },
  {
    id: 'leader-address-unexpanded',
    message: 'a leader with a direct python command gets the literal string $LWS_LEADER_ADDRESS; run the command under sh -c',
    when: (s) => at(s.framework === 'sglang' && s.runner === 'lws' && isPython(commandOf(s)[0]), ...inMain('command')),
  },
  {
    id: 'mpi-command-unescaped',
    message: "a single quote in the command breaks the quoting of the leader's mpirun line; move the command into a script",
    when: (s) => {
      if (s.framework !== 'trtllm' || s.nodes < 2) return [];
      return (['command', 'args'] as const).flatMap((list) =>
        at(
          (mainOf(s)?.[list] ?? []).some((argument) => argument.includes("'")),
          ...inMain(list),
        ),
      );
    },
  },
  {
    id: 'selector-shared',
    message: 'Services select by component type only, so the frontends or pickers of a graph share their endpoints',
    when: ({ resource, component, base }) => {
      const type = component.componentType ?? '';
      if (resource.kind !== 'DynamoGraphDeployment' || (type !== 'frontend' && type !== 'epp')) return [];
      const services = Object.entries(resource.spec?.services ?? {});
      const sharesSelector = services.some(
        ([name, other]) =>
          name !== base.at(-1) &&
          other.componentType === type &&
          (other.globalDynamoNamespace === true) === (component.globalDynamoNamespace === true),
      );
      return at(sharesSelector, 'componentType');
    },
  },
  {
    id: 'selector-empty',
    message: 'the Services of a component without componentType select no pods; set componentType',
    when: ({ component }) => at(!component.componentType),
  },
  {
    id: 'picker-without-service',
    message: 'on Grove an endpoint picker has a Service only under Kubernetes discovery, but the pool refers to one',
    when: ({ resource, runner, component, config }) =>
      at(
        runner === 'grove' &&
          component.componentType === 'epp' &&
          discoveryBackend(resource.metadata.annotations, config.discoveryBackend) !== 'kubernetes',
        'componentType',
      ),
  },
  {
    id: 'ingress-not-created',
    message:
      'an ingress without ingressControllerClassName creates nothing; set it, or useVirtualService and virtualServiceGateway if the operator has an Istio gateway',
    when: ({ component: { ingress }, config }) => {
      const isVirtual =
        config.virtualServiceGateway !== '' && ingress?.useVirtualService === true && ingress.virtualServiceGateway !== undefined;
      return at(ingress?.enabled === true && ingress.ingressControllerClassName === undefined && !isVirtual, 'ingress');
    },
  },
  {
    id: 'ingress-metadata-ignored',
    message: 'labels and annotations of an ingress are not applied; patch the Ingress afterwards',
    when: ({ component }) =>
      (['labels', 'annotations'] as const).flatMap((map) => at(!isEmpty(component.ingress?.[map]), 'ingress', map)),
  },
  {
    id: 'component-not-selected',
    message:
      'pods of a standalone component lack the label nvidia.com/dynamo-namespace, so its Services select no pods; add that label with the value of dynamoNamespace',
    when: ({ resource, component }) =>
      at(
        resource.kind === 'DynamoComponentDeployment' &&
          { ...component.labels, ...resource.metadata.labels, ...component.extraPodMetadata?.labels }[label.dynamoNamespace] ===
            undefined,
      ),
  },
  {
    id: 'graph-envs-win',
    message: 'a variable in the envs of the graph overrides mainContainer.env; set it in the envs of the service',
    when: (s) => {
      const shared = new Set(
        s.resource.kind === 'DynamoGraphDeployment' ? (s.resource.spec?.envs ?? []).map((entry) => entry.name) : [],
      );
      const own = new Set((s.component.envs ?? []).map((entry) => entry.name));
      return (mainOf(s)?.env ?? []).flatMap(({ name }, index) => at(shared.has(name) && !own.has(name), ...inMain('env', index)));
    },
  },
  {
    id: 'metrics-annotation-ignored',
    message: 'on Grove the annotation nvidia.com/enable-metrics of a service is ignored; set it on the graph',
    when: ({ runner, component }) =>
      at(
        runner === 'grove' && component.annotations?.[annotation.enableMetrics] !== undefined,
        'annotations',
        annotation.enableMetrics,
      ),
  },
  {
    id: 'discovery-backend-unknown',
    message: 'pods use Kubernetes discovery but get no RBAC permissions and no Services for it; use kubernetes or etcd',
    when: ({ resource, component, runner }) => {
      const own = component.annotations?.[annotation.discoveryBackend];
      const overridden = runner === 'grove' || isGraphWith(resource, annotation.discoveryBackend);
      return at(
        own !== undefined && own !== 'kubernetes' && own !== 'etcd' && !overridden,
        'annotations',
        annotation.discoveryBackend,
      );
    },
  },
  {
    id: 'replicas-required',
    message: 'the original operator crashes on a Grove service without replicas; set replicas',
    when: ({ runner, nodes, component }) => at(runner === 'grove' && nodes < 2 && component.replicas === undefined),
  },
  {
    id: 'scheduler-replaced',
    message: 'pods of a LeaderWorkerSet always use the scheduler volcano',
    when: ({ runner, component }) => {
      const scheduler = component.extraPodSpec?.schedulerName;
      return at(runner === 'lws' && Boolean(scheduler) && scheduler !== 'volcano', 'extraPodSpec', 'schedulerName');
    },
  },
  {
    id: 'parallel-flags-unseen',
    message:
      'only --tensor-parallel-size N, --pipeline-parallel-size N and --data-parallel-size N in args decide how vLLM spans nodes; -tp, --flag=N and flags in command are ignored',
    when: (s) => {
      if (s.framework !== 'vllm' || s.nodes < 2) return [];
      const ignored = /(^|\s)(--(tensor|pipeline|data)-parallel-size=|-(tp|pp|dp)(=|\s|$))/;
      const { command = [], args = [] } = mainOf(s) ?? {};
      const inCommand = command.some(
        (argument) => /(^|\s)--(tensor|pipeline|data)-parallel-size(\s|$)/.test(argument) || ignored.test(argument),
      );
      return [
        ...at(inCommand, ...inMain('command')),
        ...args.flatMap((argument, index) => at(ignored.test(argument), ...inMain('args', index))),
      ];
    },
  },
  {
    id: 'planner-account-forced',
    message: 'without Grove a planner always runs as planner-serviceaccount',
    when: ({ resource, runner, component }) => {
      const given = component.extraPodSpec?.serviceAccountName;
      const forced = resource.kind === 'DynamoGraphDeployment' && runner !== 'grove' && component.componentType === 'planner';
      return at(forced && Boolean(given) && given !== 'planner-serviceaccount', 'extraPodSpec', 'serviceAccountName');
    },
  },
  {
    id: 'multinode-without-orchestrator',
    message:
      'without LeaderWorkerSet and Volcano a multinode component becomes one Deployment whose pods no Service selects; install both or remove multinode',
    when: ({ resource, runner, nodes }) =>
      at(resource.kind === 'DynamoComponentDeployment' && nodes > 1 && runner === 'deployment', 'multinode'),
  },
];

function isGraphWith(resource: ComponentSetup['resource'], key: string): boolean {
  return resource.kind === 'DynamoGraphDeployment' && resource.metadata.annotations?.[key] !== undefined;
}
