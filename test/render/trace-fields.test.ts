/** The source of fields that several inputs can set, or that the operator derives. */
import { describe, expect, test } from 'vitest';
import { formatPath, type ComponentSpec, type Path } from '../../lib/api/index.ts';
import {
  renderLevels,
  traceField,
  type OperatorConfig,
  type RenderedObject,
  type RenderableResource,
} from '../../lib/render/index.ts';
import { objectsAt } from '../../lib/json/index.ts';
import { component, context, graph, stored, type groups } from './graphs.ts';

function find(
  resource: RenderableResource,
  kind: string,
  orchestrator: keyof typeof groups = 'none',
  config: Partial<OperatorConfig> = {},
): RenderedObject {
  const { objects } = renderLevels(resource, context(orchestrator, config));
  const found = objects.find(({ object }) => object.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} among ${objects.map(({ object }) => object.kind).join()}`);
  return found;
}

/** Where a field of the pod of the only service leads, without `spec.services.S`. */
function inPod(spec: ComponentSpec, ...path: Path): string {
  const traced = traceField(find(graph({ S: spec }), 'Deployment'), ['spec', 'template', 'spec', ...path]);
  return formatPath(traced).replace(/^spec\.services\.S\.?/, '');
}

const worker: ComponentSpec = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: { image: 'i' } } };
const withMain = (mainContainer: object, more: object = {}): ComponentSpec => ({
  ...worker,
  extraPodSpec: { mainContainer: { image: 'i', ...mainContainer }, ...more },
});

describe('fields of a pod', () => {
  test('lead to extraPodSpec as far as it is written, else to the component', () => {
    const tolerant = withMain({}, { tolerations: [{ key: 'a' }] });
    expect(inPod(tolerant, 'tolerations', 0, 'key')).toBe('extraPodSpec.tolerations[0].key');
    expect(inPod(tolerant, 'tolerations', 7, 'key')).toBe('extraPodSpec.tolerations');
    expect(inPod(worker, 'restartPolicy')).toBe('');
  });

  test('of containers beside the main one lead to what asked for them', () => {
    expect(inPod({ ...worker, annotations: { 'nvidia.com/enable-debug-mode': 'true' } }, 'containers', 1, 'image')).toBe(
      'annotations.nvidia.com/enable-debug-mode',
    );
    expect(inPod({ ...worker, annotations: { 'nvidia.com/enable-stealing-traffic-debug-mode': 'true' } }, 'containers', 1)).toBe(
      'annotations.nvidia.com/enable-stealing-traffic-debug-mode',
    );
  });

  test('lead to variables by the last of their name', () => {
    const envs = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const spec = { ...worker, envs };
    const rendered = find(graph({ S: spec }), 'Deployment');
    const container = objectsAt(rendered.object, 'spec', 'template', 'spec', 'containers')[0];
    const index = objectsAt(container, 'env').findIndex(({ name }) => name === 'A');
    expect(index).toBeGreaterThanOrEqual(0);
    expect(inPod(spec, 'containers', 0, 'env', index, 'value')).toBe('envs[1].value');
    expect(inPod(spec, 'containers', 0, 'env', 999)).toBe('');
  });

  test('lead to the Secret of variables after those of the main container', () => {
    const spec = { ...withMain({ envFrom: [{ configMapRef: { name: 'c' } }] }), envFromSecret: 's' };
    expect(inPod(spec, 'containers', 0, 'envFrom', 0)).toBe('extraPodSpec.mainContainer.envFrom[0]');
    expect(inPod(spec, 'containers', 0, 'envFrom', 1)).toBe('envFromSecret');
  });

  test('lead to probes of the component, where it has them', () => {
    for (const probe of ['livenessProbe', 'readinessProbe'] as const) {
      expect(inPod(withMain({ [probe]: { periodSeconds: 1 } }), 'containers', 0, probe, 'periodSeconds')).toBe(
        `extraPodSpec.mainContainer.${probe}.periodSeconds`,
      );
      expect(inPod({ ...worker, [probe]: { periodSeconds: 1 } }, 'containers', 0, probe, 'periodSeconds')).toBe(
        `${probe}.periodSeconds`,
      );
    }
    expect(inPod(worker, 'containers', 0, 'startupProbe')).toBe('extraPodSpec.mainContainer.startupProbe');
  });

  test('lead to claims of the main container, then of the component', () => {
    const spec = {
      ...withMain({ resources: { claims: [{ name: 'a' }] } }),
      resources: { claims: [{ name: 'b' }, { name: 'c' }] },
    };
    expect(inPod(spec, 'containers', 0, 'resources', 'claims', 0, 'name')).toBe(
      'extraPodSpec.mainContainer.resources.claims[0].name',
    );
    expect(inPod(spec, 'containers', 0, 'resources', 'claims', 2, 'name')).toBe('resources.claims[1].name');
    expect(inPod(spec, 'containers', 0, 'resources')).toBe('resources');
    expect(inPod(worker, 'containers', 0, 'resources')).toBe('extraPodSpec.mainContainer.resources');
    expect(inPod(spec, 'containers', 0, 'resources', 'limits')).toBe('resources');
  });

  test('lead to GPUs of any type', () => {
    const gpus = { ...worker, resources: { limits: { gpu: '1', gpuType: 'amd.com/gpu', cpu: '1' }, requests: { cpu: '1' } } };
    const limit = (side: string, key: string): string => inPod(gpus, 'containers', 0, 'resources', side, key);
    expect(limit('limits', 'amd.com/gpu')).toBe('resources.limits.gpu');
    expect(limit('limits', 'cpu')).toBe('resources.limits.cpu');
    expect(limit('requests', 'cpu')).toBe('resources.requests.cpu');
    expect(limit('limits', 'nvidia.com/gpu')).toBe('extraPodSpec.mainContainer.resources.limits.nvidia.com/gpu');
    expect(limit('requests', 'amd.com/gpu')).toBe('extraPodSpec.mainContainer.resources.requests.amd.com/gpu');
  });
});

describe('volumes and mounts', () => {
  const claims = {
    volumeMounts: [
      { name: 'a', mountPoint: '/a' },
      { name: 'b', mountPoint: '/b' },
    ],
    sharedMemory: { size: '1Gi' },
  };
  const own = {
    ...withMain({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }, { volumes: [{ name: 'v', emptyDir: {} }] }),
    ...claims,
  };
  const picker: ComponentSpec = {
    ...worker,
    ...claims,
    componentType: 'epp',
    eppConfig: { configMapRef: { name: 'c', key: 'k' } },
  };

  test('of the user come first, then those of claims, then shared memory', () => {
    expect(inPod(own, 'containers', 0, 'volumeMounts', 0, 'mountPath')).toBe(
      'extraPodSpec.mainContainer.volumeMounts[0].mountPath',
    );
    expect(inPod(own, 'containers', 0, 'volumeMounts', 1, 'mountPath')).toBe('volumeMounts[0].mountPoint');
    expect(inPod(own, 'containers', 0, 'volumeMounts', 2, 'name')).toBe('volumeMounts[1].name');
    expect(inPod(own, 'containers', 0, 'volumeMounts', 2)).toBe('volumeMounts[1]');
    expect(inPod(own, 'volumes', 0, 'emptyDir')).toBe('extraPodSpec.volumes[0].emptyDir');
    expect(inPod(own, 'volumes', 1, 'persistentVolumeClaim', 'claimName')).toBe('volumeMounts[0].name');
    expect(inPod(own, 'volumes', 2)).toBe('volumeMounts[1]');
    expect(inPod(own, 'volumes', 3, 'emptyDir', 'sizeLimit')).toBe('sharedMemory.size');
    expect(inPod(own, 'volumes', 3, 'name')).toBe('sharedMemory');
    expect(inPod({ ...own, sharedMemory: undefined }, 'volumes', 3, 'emptyDir')).toBe('');
    expect(inPod(own, 'volumes', 9)).toBe('');
    expect(inPod(own, 'volumes')).toBe('extraPodSpec.volumes');
  });

  test('of a picker come after its own two', () => {
    expect(inPod(picker, 'volumes', 0, 'configMap')).toBe('eppConfig');
    expect(inPod(picker, 'volumes', 1)).toBe('eppConfig');
    expect(inPod(picker, 'volumes', 2, 'persistentVolumeClaim')).toBe('volumeMounts[0].name');
    expect(inPod(picker, 'containers', 0, 'volumeMounts', 2, 'mountPath')).toBe('volumeMounts[0].mountPoint');
    expect(inPod(picker, 'containers', 0, 'volumeMounts', 0, 'mountPath')).toBe('');
  });
});

describe('labels and annotations', () => {
  const pod = (source: RenderableResource, map: string, key: string): string =>
    formatPath(traceField(find(source, 'Deployment'), ['spec', 'template', 'metadata', map, key]));
  const from = (spec: ComponentSpec, more: object = {}): RenderableResource => graph({ S: { ...worker, ...spec } }, more);

  test('lead to the strongest place that has them', () => {
    expect(pod(from({ annotations: { a: '1' }, extraPodMetadata: { annotations: { a: '2' } } }), 'annotations', 'a')).toBe(
      'spec.services.S.extraPodMetadata.annotations.a',
    );
    expect(pod(from({ annotations: { a: '1' } }), 'annotations', 'a')).toBe('spec.services.S.annotations.a');
    expect(pod(from({}, { annotations: { a: '1' } }), 'annotations', 'a')).toBe('metadata.annotations.a');
    expect(pod(from({}), 'annotations', 'a')).toBe('spec.services.S');
    expect(pod(from({}), 'labels', 'a')).toBe('spec.services.S');
  });

  test('lead to what the operator derives them from', () => {
    const typed = from({ subComponentType: 'decode', modelRef: { name: 'm' } });
    expect(pod(typed, 'labels', 'nvidia.com/dynamo-sub-component-type')).toBe('spec.services.S.subComponentType');
    expect(pod(typed, 'annotations', 'nvidia.com/dynamo-base-model')).toBe('spec.services.S.modelRef.name');
    expect(pod(from({}, { spec: { restart: { id: 'r' } } }), 'annotations', 'nvidia.com/restartAt')).toBe('spec.restart.id');
    expect(pod(from({}), 'annotations', 'nvidia.com/restartAt')).toBe('spec.services.S');
    const queue = from({}, { annotations: { 'nvidia.com/kai-scheduler-queue': 'q' } });
    expect(pod(queue, 'labels', 'kai.scheduler/queue')).toBe('metadata.annotations.nvidia.com/kai-scheduler-queue');
  });

  test('of a component on its own may be its own', () => {
    const own = component({ componentType: 'worker', dynamoNamespace: 'd' }, { labels: { a: 'b' }, annotations: { c: 'd' } });
    expect(pod(own, 'labels', 'a')).toBe('metadata.labels.a');
    expect(pod(own, 'annotations', 'c')).toBe('metadata.annotations.c');
    expect(pod(own, 'annotations', 'a')).toBe('spec');
  });
});

describe('other objects', () => {
  const trace = (rendered: RenderedObject, ...path: Path): string => formatPath(traceField(rendered, path));
  const web: ComponentSpec = {
    ...worker,
    componentType: 'frontend',
    ingress: { enabled: true, host: 'h', ingressControllerClassName: 'n', tls: { secretName: 's' } },
  };

  test('component resources lead to the service, and to what is not copied nowhere else', () => {
    const resource = find(
      graph({ S: { ...worker, labels: { a: 'b' } } }, { spec: { backendFramework: 'vllm', envs: [{ name: 'A', value: '1' }] } }),
      'DynamoComponentDeployment',
    );
    expect(trace(resource, 'spec', 'dynamoNamespace')).toBe('spec.services.S');
    expect(trace(resource, 'spec', 'serviceName')).toBe('spec.services.S');
    expect(trace(resource, 'spec', 'labels', 'a')).toBe('spec.services.S.labels.a');
    expect(trace(resource, 'spec', 'envs', 0, 'value')).toBe('spec.envs[0].value');
    expect(trace(resource, 'spec', 'envs', 9)).toBe('spec.services.S');
    expect(trace(resource, 'spec', 'replicas')).toBe('spec.services.S.replicas');
    expect(trace(resource, 'spec', 'extraPodSpec', 'odd')).toBe('spec.services.S.extraPodSpec');
    expect(trace(resource, 'spec', 'odd')).toBe('spec.services.S');
  });

  test('an Ingress leads to the ingress of its service', () => {
    const ingress = find(graph({ S: web }), 'Ingress');
    expect(trace(ingress, 'spec', 'ingressClassName')).toBe('spec.services.S.ingress.ingressControllerClassName');
    expect(trace(ingress, 'spec', 'tls', 0, 'hosts', 0)).toBe('spec.services.S.ingress.host');
    expect(trace(ingress, 'spec', 'tls', 0, 'secretName')).toBe('spec.services.S.ingress.tls.secretName');
    expect(trace(ingress, 'spec', 'odd')).toBe('spec.services.S.ingress');
  });

  test('a VirtualService leads to its gateway and host', () => {
    const virtual = { ...web, ingress: { enabled: true, host: 'h', useVirtualService: true, virtualServiceGateway: 'gw' } };
    const service = find(graph({ S: virtual }), 'VirtualService', 'none', { virtualServiceGateway: 'd' });
    expect(trace(service, 'spec', 'gateways', 0)).toBe('spec.services.S.ingress.virtualServiceGateway');
    expect(trace(service, 'spec', 'hosts', 0)).toBe('spec.services.S.ingress.host');
  });

  test('Services lead to the type, to labels, and to the model', () => {
    const service = find(graph({ S: { ...web, modelRef: { name: 'm' } } }), 'Service');
    expect(trace(service, 'spec', 'ports')).toBe('spec.services.S.componentType');
    expect(trace(service, 'spec', 'selector', 'nvidia.com/dynamo-component-type')).toBe('spec.services.S.componentType');
    expect(trace(service, 'spec', 'type')).toBe('spec.services.S');
    const { objects } = renderLevels(graph({ S: { ...web, modelRef: { name: 'm' } } }), context());
    const model = objects.find(({ object }) => object.metadata.name.startsWith('dynamo-model-'));
    if (model === undefined) throw new Error('no Service of the model');
    expect(trace(model, 'spec', 'ports')).toBe('spec.services.S.modelRef.name');
  });

  test('claims lead to what they are made of', () => {
    const pvcs = [{ name: 'p', create: true, size: '1Gi', storageClass: 'fast', volumeAccessMode: 'ReadWriteOnce' }];
    const claim = find(graph({ S: worker }, { spec: { pvcs } }), 'PersistentVolumeClaim');
    expect(trace(claim, 'spec', 'accessModes', 0)).toBe('spec.pvcs[0].volumeAccessMode');
    expect(trace(claim, 'spec', 'storageClassName')).toBe('spec.pvcs[0].storageClass');
    expect(trace(claim, 'spec', 'resources')).toBe('spec.pvcs[0].size');
    expect(trace(claim, 'spec', 'volumeMode')).toBe('spec.pvcs[0].name');
  });

  test('cliques lead to their service', () => {
    const spread = { ...worker, multinode: { nodeCount: 2 } };
    const set = find(graph({ Big: spread, Small: worker }), 'PodCliqueSet', 'grove');
    const cliques = objectsAt(set.object, 'spec', 'template', 'cliques');
    const clique = (name: string): number => cliques.findIndex((one) => one['name'] === name);
    const at = (name: string, ...path: Path): string => trace(set, 'spec', 'template', 'cliques', clique(name), ...path);
    expect(at('big-ldr', 'spec', 'replicas')).toBe('spec.services.Big.multinode.nodeCount');
    expect(at('big-wkr', 'spec', 'replicas')).toBe('spec.services.Big.multinode.nodeCount');
    expect(at('small', 'spec', 'replicas')).toBe('spec.services.Small.replicas');
    expect(at('small', 'spec', 'minAvailable')).toBe('spec.services.Small');
    expect(at('small', 'spec', 'podSpec', 'containers', 0, 'image')).toBe('spec.services.Small.extraPodSpec.mainContainer.image');
    expect(at('small', 'labels', 'nvidia.com/dynamo-component-type')).toBe('spec.services.Small.componentType');
    expect(trace(set, 'spec', 'template', 'podCliqueScalingGroups', 0, 'replicas')).toBe('spec.services.Big.replicas');
    expect(trace(set, 'spec', 'template', 'podCliqueScalingGroups', 0, 'name')).toBe('spec.services.Big');
    expect(trace(set, 'spec', 'replicas')).toBe(formatPath(set.origin));
  });

  test('LeaderWorkerSets lead to the nodes, to the pod, and to the component', () => {
    const vllm = withMain({ command: ['python3', '-m', 'dynamo.vllm'], args: ['--x'] });
    const spread = { ...vllm, multinode: { nodeCount: 2 }, resources: { limits: { gpu: '1' } } };
    const set = find(graph({ S: spread }), 'LeaderWorkerSet', 'lws');
    const template = ['spec', 'leaderWorkerTemplate'];
    expect(trace(set, ...template, 'size')).toBe('spec.services.S.multinode.nodeCount');
    expect(trace(set, ...template, 'workerTemplate', 'spec', 'containers', 0, 'image')).toBe(
      'spec.services.S.extraPodSpec.mainContainer.image',
    );
    expect(trace(set, ...template, 'workerTemplate', 'metadata', 'labels', 'nvidia.com/dynamo-component-type')).toBe(
      'spec.services.S.componentType',
    );
    expect(trace(set, 'spec', 'startupPolicy')).toBe('spec.services.S');
  });

  test('the Job of a request leads to its profiling configuration', () => {
    const job = find(
      stored({
        apiVersion: 'nvidia.com/v1alpha1',
        kind: 'DynamoGraphDeploymentRequest',
        metadata: { name: 'r', namespace: 'ns' },
        spec: { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'p', config: {} } },
      }),
      'Job',
    );
    const pod = (...path: Path): string => trace(job, 'spec', 'template', 'spec', ...path).replace('spec.profilingConfig', '');
    expect(pod('containers', 0, 'args', 1)).toBe('.config');
    expect(pod('containers', 0, 'image')).toBe('.profilerImage');
    expect(pod('containers', 1, 'image')).toBe('');
    expect(pod('tolerations', 0, 'key')).toBe('.tolerations[0].key');
    expect(pod('volumes', 0)).toBe('.outputPVC');
    expect(pod('volumes', 1)).toBe('.configMapRef');
    expect(pod('restartPolicy')).toBe('');
  });
});
