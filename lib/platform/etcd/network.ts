import { type JsonObject, listAt } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { metadata, podLabels, selectorLabels, suffixed, whereSet, type EtcdRelease } from './release.ts';

const portNames = ['client', 'peer', 'metrics'] as const;

function portsOf(etcd: EtcdRelease): readonly (typeof portNames)[number][] {
  return truthy(atPath(etcd.values, 'metrics.useSeparateEndpoint')) ? portNames : ['client', 'peer'];
}

/** The headless Service that gives each member a name. */
export function headlessService(etcd: EtcdRelease): JsonObject {
  const { values } = etcd;
  const ports = portsOf(etcd).map((name) => {
    const override = atPath(values, `service.${name}PortNameOverride`);
    const encrypted = truthy(atPath(values, `auth.${name}.secureTransport`));
    const shown = truthy(override) ? `${templateString(override)}${encrypted ? '-ssl' : ''}` : name;
    return { name: shown, port: yamlScalar(atPath(values, `containerPorts.${name}`)), targetPort: name };
  });
  const own = metadata(etcd, {
    name: suffixed(etcd, 'headless'),
    component: 'etcd',
    annotations: atPath(values, 'service.headless.annotations'),
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...own,
      annotations: {
        'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true',
        ...(own['annotations'] as JsonObject | undefined),
      },
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      ports,
      selector: selectorLabels(etcd, podLabels(etcd)),
    },
  };
}

/** The Service for clients. */
export function clientService(etcd: EtcdRelease): JsonObject {
  const service = atPath(etcd.values, 'service');
  const type = templateString(atPath(service, 'type'));
  const outside = type === 'NodePort' || type === 'LoadBalancer';
  const ports = portsOf(etcd).map((name) => {
    const nodePort = atPath(service, `nodePorts.${name}`);
    return {
      name: templateString(orElse(atPath(service, `${name}PortNameOverride`), name)),
      port: yamlScalar(atPath(service, `ports.${name}`)),
      targetPort: name,
      ...(outside && truthy(nodePort) ? { nodePort: yamlScalar(nodePort) } : {}),
    };
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(etcd, { name: etcd.name, component: 'etcd', annotations: atPath(service, 'annotations') }),
    spec: {
      type,
      ...(type === 'ClusterIP' ? whereSet(service, 'clusterIP') : {}),
      ...(outside ? { externalTrafficPolicy: templateString(atPath(service, 'externalTrafficPolicy')) } : {}),
      ...(type === 'LoadBalancer' ? whereSet(service, 'loadBalancerClass', 'loadBalancerIP', 'loadBalancerSourceRanges') : {}),
      ...whereSet(service, 'externalIPs', 'sessionAffinity', 'sessionAffinityConfig'),
      ports: [...ports, ...listAt(atPath(service, 'extraPorts'))],
      selector: selectorLabels(etcd, podLabels(etcd)),
    },
  };
}

const dns = {
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
};

/** Who may reach the members: everybody, or pods with the client label, the members, and the namespaces named. */
function clients(etcd: EtcdRelease): JsonObject {
  const policy = atPath(etcd.values, 'networkPolicy');
  if (truthy(atPath(policy, 'allowExternal'))) return {};
  const [namespaces, pods] = [atPath(policy, 'ingressNSMatchLabels'), atPath(policy, 'ingressNSPodMatchLabels')];
  return {
    from: [
      { podSelector: { matchLabels: { [`${etcd.name}-client`]: 'true' } } },
      { podSelector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) } },
      ...(truthy(namespaces)
        ? [
            {
              namespaceSelector: { matchLabels: namespaces },
              ...(truthy(pods) ? { podSelector: { matchLabels: pods } } : {}),
            },
          ]
        : []),
    ],
  };
}

/** Rules of the original: both ports to all clients. */
function openIngress(etcd: EtcdRelease): readonly JsonObject[] {
  const { values } = etcd;
  const ports = [
    { port: yamlScalar(atPath(values, 'containerPorts.client')) },
    { port: yamlScalar(atPath(values, 'containerPorts.peer')) },
  ];
  const metrics = truthy(atPath(values, 'metrics.useSeparateEndpoint')) ? 'metrics' : 'client';
  return [
    { ports, ...clients(etcd) },
    ...(truthy(atPath(values, 'metrics.enabled'))
      ? [{ ports: [{ port: yamlScalar(atPath(values, `containerPorts.${metrics}`)) }] }]
      : []),
  ];
}

/** Rules that keep the peer port among members, and the client port inside the cluster unless the Service leads out of it. */
function closedIngress(etcd: EtcdRelease): readonly JsonObject[] {
  const { values } = etcd;
  const { from } = clients(etcd);
  const outside = atPath(values, 'service.type') === 'ClusterIP' ? { from: [{ namespaceSelector: {} }] } : {};
  const separate = truthy(atPath(values, 'metrics.enabled')) && truthy(atPath(values, 'metrics.useSeparateEndpoint'));
  const port = (name: string): JsonObject => ({ port: yamlScalar(atPath(values, `containerPorts.${name}`)), protocol: 'TCP' });
  return [
    { ports: [port('client')], ...(from === undefined ? outside : { from }) },
    { ports: [port('peer')], from: [{ podSelector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) } }] },
    ...(separate ? [{ ports: [port('metrics')], from: [{ namespaceSelector: {} }] }] : []),
  ];
}

function egress(etcd: EtcdRelease): readonly JsonObject[] {
  const { values, context } = etcd;
  if (truthy(atPath(values, 'networkPolicy.allowExternalEgress')) && !context.switches['network-policies']) return [{}];
  // spelled out, since kubectl sees a change at every run where a list item lacks what the API server fills in
  const protocol = context.switches['network-policies'] ? { protocol: 'TCP' } : {};
  const ports = ['client', 'peer'].map((name) => ({ port: yamlScalar(atPath(values, `containerPorts.${name}`)), ...protocol }));
  return [
    dns,
    { ports, to: [{ podSelector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) } }] },
    ...(listAt(atPath(values, 'networkPolicy.extraEgress')) as readonly JsonObject[]),
  ];
}

/** The NetworkPolicy of the jobs: they call members and nobody calls them. */
export function jobNetworkPolicy(etcd: EtcdRelease): JsonObject {
  const { values } = etcd;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata(etcd, { name: suffixed(etcd, 'jobs') }),
    spec: {
      podSelector: {
        matchLabels: { 'app.kubernetes.io/instance': etcd.context.release },
        matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'In', values: ['defrag', 'snapshotter'] }],
      },
      policyTypes: ['Ingress', 'Egress'],
      egress: [
        dns,
        {
          ports: [{ port: yamlScalar(atPath(values, 'containerPorts.client')), protocol: 'TCP' }],
          to: [{ podSelector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) } }],
        },
      ],
    },
  };
}

/** The NetworkPolicy of the members. */
export function networkPolicy(etcd: EtcdRelease): JsonObject {
  const ingress = etcd.context.switches['network-policies'] ? closedIngress(etcd) : openIngress(etcd);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata(etcd, { name: etcd.name, component: 'etcd' }),
    spec: {
      podSelector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) },
      policyTypes: ['Ingress', 'Egress'],
      egress: egress(etcd),
      ingress: [...ingress, ...listAt(atPath(etcd.values, 'networkPolicy.extraIngress'))],
    },
  };
}
