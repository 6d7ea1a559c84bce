import { describe, expect, test } from 'vitest';
import { component, context, graph } from './graphs.ts';
import { view } from './rendered.ts';

const image = { mainContainer: { image: 'i', args: ['x'] } };
const picker = { configMapRef: { name: 'c', key: 'k' } };

describe('the Service of a component', () => {
  const http = { name: 'http', protocol: 'TCP', port: 8000, targetPort: 'http' };
  const grpc = { name: 'grpc', protocol: 'TCP', port: 9002, targetPort: 9002 };
  const system = { name: 'system', protocol: 'TCP', port: 9090, targetPort: 'system' };
  test.each([
    ['frontend', http, http],
    ['epp', { ...grpc, appProtocol: 'http2' }, grpc],
    ['worker', system, system],
    ['planner', system, system],
    ['default', system, system],
    ['', system, system],
  ])('of type %j has one port', (componentType, onGrove, onComponents) => {
    const services = { X: { componentType, replicas: 1, eppConfig: picker, extraPodSpec: image } };
    expect(view(graph(services), context('grove')).get('Service/g-x').spec).toEqual({
      selector: { 'nvidia.com/dynamo-component-type': componentType, 'nvidia.com/dynamo-namespace': 'ns-g' },
      ports: [onGrove],
    });
    expect(view(graph(services), context()).get('Service/g-x').spec.ports).toEqual([onComponents]);
  });

  test('says that it takes part in discovery, on the component path not of a frontend', () => {
    const services = {
      Web: { componentType: 'frontend', extraPodSpec: image, labels: { a: 'b', 'nvidia.com/dynamo-discovery-enabled': 'no' } },
      W: { componentType: 'worker', extraPodSpec: image },
    };
    const marks = { 'nvidia.com/dynamo-discovery-backend': 'kubernetes', 'nvidia.com/dynamo-discovery-enabled': 'true' };
    const onGrove = view(graph(services), context('grove'));
    expect(onGrove.get('Service/g-web').metadata.labels).toEqual({ a: 'b', ...marks });
    expect(onGrove.get('Service/g-w').metadata.labels).toEqual(marks);
    const onComponents = view(graph(services), context());
    expect(onComponents.get('Service/g-w').metadata.labels).toMatchObject(marks);
    const { labels } = onComponents.get('Service/g-web-p').metadata;
    expect(labels).toMatchObject({ 'nvidia.com/dynamo-discovery-backend': 'kubernetes' });
    expect(labels).not.toHaveProperty(['nvidia.com/dynamo-discovery-enabled']);
  });

  test('needs a Dynamo namespace, which may be empty, and fails after the Deployment', () => {
    const spec = { componentType: 'planner', extraPodSpec: image };
    const without = view(component(spec), context());
    expect(without.names).toEqual(['Deployment/c']);
    expect(without.chains).toEqual([
      'failed to create or update the service: expected DynamoComponentDeployment c to have a dynamoNamespace',
    ]);
    const empty = view(component({ ...spec, dynamoNamespace: '' }), context());
    expect(empty.get('Service/c').spec.selector['nvidia.com/dynamo-namespace']).toBe('');
  });
});

test('components that serve one model share its headless Service', () => {
  const serving = { componentType: 'worker', modelRef: { name: 'Qwen/Qwen3-0.6B', revision: 'r' }, extraPodSpec: image };
  for (const path of ['grove', 'none'] as const) {
    const rendered = view(graph({ A: serving, B: serving, C: { ...serving, modelRef: { name: '' } } }), context(path));
    expect(rendered.names.filter((name) => name.includes('dynamo-model-'))).toEqual(['Service/dynamo-model-fb68f5a6']);
    const { metadata, spec } = rendered.get('Service/dynamo-model-fb68f5a6');
    expect(metadata.labels).toEqual({
      'nvidia.com/dynamo-base-model-hash': 'fb68f5a6',
      'nvidia.com/managed-by': 'dynamo-operator',
    });
    expect(metadata.annotations).toMatchObject({ 'nvidia.com/dynamo-base-model': 'Qwen/Qwen3-0.6B' });
    expect(spec).toEqual({
      clusterIP: 'None',
      selector: { 'nvidia.com/dynamo-base-model-hash': 'fb68f5a6' },
      ports: [{ name: 'system', protocol: 'TCP', port: 9090, targetPort: 9090 }],
    });
  }
});

describe('Ingress and VirtualService', () => {
  const flags = { virtualServiceGateway: 'istio-system/ingress-alb', ingressClassName: 'nginx', ingressTlsSecret: 'tls-secret' };
  const exposed = (path: 'grove' | 'none', ingress: object | undefined, config: object = {}, type = 'frontend') =>
    view(graph({ Frontend: { componentType: type, extraPodSpec: image, ...(ingress && { ingress }) } }), context(path, config));
  const kinds = ({ names }: { readonly names: readonly string[] }): string =>
    names.flatMap((name) => /^(Ingress|VirtualService)\/g-frontend$/.exec(name)?.[1] ?? []).join();

  test.each(['grove', 'none'] as const)('the worked example, on %s', (path) => {
    const rendered = exposed(path, undefined, { ...flags, ingressHostSuffix: 'example.com' });
    expect(rendered.get('Ingress/g-frontend').spec).toEqual({
      ingressClassName: 'nginx',
      rules: [
        {
          host: 'g.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'g-frontend', port: { number: 8000 } } } }],
          },
        },
      ],
      tls: [{ hosts: ['g.example.com'], secretName: 'tls-secret' }],
    });
    expect(rendered.get('VirtualService/g-frontend').spec).toEqual({
      hosts: ['g.example.com'],
      gateways: ['istio-system/ingress-alb'],
      http: [{ match: [{ uri: { prefix: '/' } }], route: [{ destination: { host: 'g-frontend', port: { number: 8000 } } }] }],
    });
  });

  test.each([
    [{}, ''],
    [{ enabled: false, ingressControllerClassName: 'nginx' }, ''],
    [{ enabled: true }, ''],
    [{ enabled: true, ingressControllerClassName: 'nginx' }, 'Ingress'],
    [{ enabled: true, ingressControllerClassName: '' }, 'Ingress'],
    [{ enabled: true, useVirtualService: true }, ''],
    [{ enabled: true, virtualServiceGateway: 'g' }, ''],
    [{ enabled: true, useVirtualService: true, virtualServiceGateway: '' }, 'VirtualService'],
    [
      { enabled: true, useVirtualService: true, virtualServiceGateway: 'g', ingressControllerClassName: 'c' },
      'Ingress,VirtualService',
    ],
  ])('%j makes %j where the operator has a gateway', (ingress, expected) => {
    expect(kinds(exposed('grove', ingress, flags))).toBe(expected);
    expect(kinds(exposed('none', ingress, flags))).toBe(expected);
    expect(kinds(exposed('none', ingress))).toBe(expected.replace(/,?VirtualService/, ''));
  });

  test.each([
    [{ host: 'someservice' }, 'someservice.local'],
    [{ host: 'h', hostSuffix: 's.org' }, 'h.s.org'],
    [{ host: 'h', hostSuffix: '' }, 'h.'],
    [{ host: 'h', hostPrefix: 'a.' }, 'a.h.local'],
    [{}, '.local'],
  ])('%j is reached at %s, whatever the operator’s suffix', (names, host) => {
    const ingress = {
      enabled: true,
      ingressControllerClassName: 'c',
      tls: {},
      labels: { a: 'b' },
      annotations: { a: 'b' },
      ...names,
    };
    const { metadata, spec } = exposed('none', ingress, { ingressHostSuffix: 'example.com' }).get('Ingress/g-frontend');
    expect([spec.rules[0].host, spec.tls]).toEqual([host, [{ hosts: [host] }]]);
    expect([metadata.labels, metadata.annotations?.['a']]).toEqual([undefined, undefined]);
  });

  test('belong to frontends alone on Grove, to any component otherwise', () => {
    const ingress = { enabled: true, ingressControllerClassName: 'c' };
    expect(kinds(exposed('grove', ingress, {}, 'worker'))).toBe('');
    expect(kinds(exposed('none', ingress, {}, 'worker'))).toBe('Ingress');
    expect(kinds(exposed('none', undefined, flags, 'worker'))).toBe('');
  });
});

describe('the endpoint picker', () => {
  const config = {
    apiVersion: 'x/v9',
    kind: 'Other',
    unknown: { a: 1 },
    featureGates: [],
    plugins: [{ type: 'kv-scorer', parameters: 'eyJ3IjoxfQ==' }],
    schedulingProfiles: [
      { name: 'default', plugins: [{ pluginRef: 'kv-scorer', weight: 0 }, { pluginRef: 'p' }] },
      { name: 'none', plugins: [] },
    ],
    saturationDetector: { queueDepthThreshold: 0, kvCacheUtilThreshold: 0.8, metricsStalenessThreshold: '90s' },
  };
  const picked = (eppConfig: object, more: object = {}) =>
    view(graph({ Epp: { componentType: 'epp', replicas: 1, eppConfig, extraPodSpec: image, ...more } }), context());

  test('has its configuration written in its typed form', () => {
    const { metadata, data } = picked({ config }).get('ConfigMap/g-epp-config');
    expect(metadata.labels).toEqual({
      'nvidia.com/dynamo-graph-deployment-name': 'g',
      'nvidia.com/dynamo-component': 'Epp',
      'nvidia.com/dynamo-component-type': 'epp',
    });
    expect(data).toEqual({
      'epp-config-dynamo.yaml': [
        'apiVersion: inference.networking.x-k8s.io/v1alpha1',
        'kind: EndpointPickerConfig',
        'plugins:',
        '- name: ""',
        '  parameters: eyJ3IjoxfQ==',
        '  type: kv-scorer',
        'saturationDetector:',
        '  kvCacheUtilThreshold: 0.8',
        '  metricsStalenessThreshold: 1m30s',
        'schedulingProfiles:',
        '- name: default',
        '  plugins:',
        '  - pluginRef: kv-scorer',
        '    weight: 0',
        '  - pluginRef: p',
        '    weight: null',
        '- name: none',
        '  plugins: []',
        '',
      ].join('\n'),
    });
  });

  test('has a pool that sends to the frontends of its Dynamo namespace', () => {
    expect(picked({ config }, { globalDynamoNamespace: true }).get('InferencePool/g-pool').spec).toEqual({
      targetPorts: [{ number: 8000 }],
      selector: {
        matchLabels: { 'nvidia.com/dynamo-component-type': 'frontend', 'nvidia.com/dynamo-namespace': 'dynamo' },
      },
      endpointPickerRef: { kind: 'Service', name: 'g-epp', port: { number: 9002 } },
    });
  });

  test('reads a ConfigMap of the user where one is named', () => {
    const rendered = picked({ configMapRef: { name: 'mine', key: 'file.yaml', optional: true } });
    expect(rendered.names).toContain('InferencePool/g-pool');
    expect(rendered.names).not.toContain('ConfigMap/g-epp-config');
    expect(rendered.pod('Deployment/g-epp').volumes?.[0]).toEqual({
      name: 'epp-config',
      configMap: { name: 'mine', items: [{ key: 'file.yaml', path: 'epp-config-dynamo.yaml' }] },
    });
  });
});

describe('what is made around a graph', () => {
  test('claims have a canonical size and always a class; entries without a name are skipped', () => {
    const claim = { create: true, size: '1.5Gi', storageClass: '', volumeAccessMode: 'ReadWriteOnce' };
    const rendered = view(
      graph(
        { W: {} },
        {
          spec: {
            pvcs: [
              { name: 'a', ...claim },
              { name: '', ...claim },
            ],
          },
        },
      ),
      context(),
    );
    expect(rendered.names.filter((name) => name.startsWith('Persistent'))).toEqual(['PersistentVolumeClaim/a']);
    const { metadata, spec } = rendered.get('PersistentVolumeClaim/a');
    expect(spec).toEqual({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1536Mi' } },
      storageClassName: '',
    });
    expect(metadata.annotations).toBeUndefined();
    expect(metadata.ownerReferences).toHaveLength(1);
  });

  test('adapters follow the services that ask for them', () => {
    const services = {
      Frontend: { scalingAdapter: { enabled: true } },
      Zero: { replicas: 0, scalingAdapter: { enabled: true } },
      Off: { replicas: 2, scalingAdapter: {} },
    };
    const rendered = view(graph(services), context());
    const kind = 'DynamoGraphDeploymentScalingAdapter';
    expect(rendered.names.filter((name) => name.startsWith(kind))).toEqual([`${kind}/g-frontend`, `${kind}/g-zero`]);
    const { metadata, spec } = rendered.get(`${kind}/g-frontend`);
    expect(spec).toEqual({ replicas: 1, dgdRef: { name: 'g', serviceName: 'Frontend' } });
    expect(metadata.labels).toEqual({
      'nvidia.com/dynamo-graph-deployment-name': 'g',
      'nvidia.com/dynamo-component': 'Frontend',
    });
    expect(rendered.get(`${kind}/g-zero`).spec.replicas).toBe(0);
  });
});
