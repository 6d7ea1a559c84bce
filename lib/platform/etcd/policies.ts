import { clientPeers, scraperPeers } from '../client-namespaces.ts';
import { atPath, truthy } from '../go-values.ts';
import { type EtcdRelease, metadata, podLabels, selectorLabels, suffixed } from './release.ts';
import { dns } from './network.ts';
import { type JsonObject, listAt } from '../../json/index.ts';
import { yamlScalar } from '../yaml-scalar.ts';

/** The PodDisruptionBudget of the members. */
export function disruptionBudget(etcd: EtcdRelease): JsonObject {
  const [minAvailable, maxUnavailable] = [atPath(etcd.values, 'pdb.minAvailable'), atPath(etcd.values, 'pdb.maxUnavailable')];
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(etcd, { name: etcd.name, component: 'etcd' }),
    spec: {
      ...(truthy(minAvailable) ? { minAvailable: yamlScalar(minAvailable) } : {}),
      ...(truthy(maxUnavailable) || !truthy(minAvailable)
        ? { maxUnavailable: truthy(maxUnavailable) ? yamlScalar(maxUnavailable) : 1 }
        : {}),
      selector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) },
    },
  };
}

/** Peers of the original's rules: everyone, or pods with the client label, the members, and the given namespaces. */
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

/** Ingress rules of the original: all clients may use both ports. */
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

/** Ingress rules that open the peer port to members only, and the client port to the cluster only, unless the Service is external. */
function closedIngress(etcd: EtcdRelease): readonly JsonObject[] {
  const { values, context } = etcd;
  const { from } = clients(etcd);
  const measured = truthy(atPath(values, 'metrics.enabled'));
  const separate = measured && truthy(atPath(values, 'metrics.useSeparateEndpoint'));
  // Metrics on the client port open it to scrapers, if the values name their namespaces.
  const scrapes = measured && !separate && Object.keys(context.settings.monitoring.namespaceLabels).length > 0;
  const inside = [...clientPeers(context), ...(scrapes ? scraperPeers(context) : [])];
  const outside = atPath(values, 'service.type') === 'ClusterIP' ? { from: inside } : {};
  const port = (name: string): JsonObject => ({ port: yamlScalar(atPath(values, `containerPorts.${name}`)), protocol: 'TCP' });
  return [
    { ports: [port('client')], ...(from === undefined ? outside : { from }) },
    { ports: [port('peer')], from: [{ podSelector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) } }] },
    ...(separate ? [{ ports: [port('metrics')], from: scraperPeers(context) }] : []),
  ];
}

function egress(etcd: EtcdRelease): readonly JsonObject[] {
  const { values, context } = etcd;
  if (truthy(atPath(values, 'networkPolicy.allowExternalEgress')) && !context.switches['network-policies']) return [{}];
  // Set explicitly: kubectl apply reports a change at every run if a list item lacks a field that the API server defaults.
  const protocol = context.switches['network-policies'] ? { protocol: 'TCP' } : {};
  const ports = ['client', 'peer'].map((name) => ({ port: yamlScalar(atPath(values, `containerPorts.${name}`)), ...protocol }));
  return [
    dns(etcd),
    { ports, to: [{ podSelector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) } }] },
    ...(listAt(atPath(values, 'networkPolicy.extraEgress')) as readonly JsonObject[]),
  ];
}

/** The NetworkPolicy of the jobs: egress to the members, no ingress. */
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
        dns(etcd),
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
