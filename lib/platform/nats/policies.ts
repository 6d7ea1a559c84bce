import { type JsonObject } from '../../json/index.ts';
import { clientPeers, scraperPeers } from '../client-namespaces.ts';
import { metadata, type NatsRelease, overlaid, selectorLabels } from './release.ts';
import { atPath, truthy } from '../go-values.ts';
import { activeProtocols, protocolBlock } from './protocols.ts';

/** The egress rule for DNS. A NetworkPolicy sees the port of the pod behind a Service, which is 5353 for the DNS of OpenShift. */
const dns = { ports: [53, 5353].flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ port, protocol }))) };

/** Who may connect to the port of a protocol: the servers, clients, scrapers, or everyone for protocols of other clusters and browsers. */
const sources: Readonly<Record<string, 'servers' | 'clients' | 'scrapers' | 'world'>> = {
  nats: 'clients',
  leafnodes: 'world',
  websocket: 'world',
  mqtt: 'world',
  cluster: 'servers',
  gateway: 'world',
  monitor: 'scrapers',
  profiling: 'servers',
};

function ingress(nats: NatsRelease): readonly JsonObject[] {
  const servers = [{ podSelector: { matchLabels: selectorLabels(nats) } }];
  const exposed = activeProtocols(nats).map(({ name }) => ({
    port: atPath(protocolBlock(nats, name), 'port'),
    source: sources[name],
  }));
  const exporter = truthy(atPath(nats.values, 'promExporter.enabled'))
    ? [{ port: atPath(nats.values, 'promExporter.port'), source: 'scrapers' }]
    : [];
  const from: Readonly<Record<string, JsonObject>> = {
    servers: { from: servers },
    clients: { from: clientPeers(nats.context) },
    scrapers: { from: scraperPeers(nats.context) },
    world: {},
  };
  const byPeers = new Map<string, { readonly peers: JsonObject; readonly ports: readonly JsonObject[] }>();
  for (const [source, peers] of Object.entries(from)) {
    const ports = [...exposed, ...exporter]
      .filter((entry) => entry.source === source)
      .map(({ port }) => ({ port, protocol: 'TCP' }));
    const key = JSON.stringify(peers);
    if (ports.length > 0) byPeers.set(key, { peers, ports: [...(byPeers.get(key)?.ports ?? []), ...ports] });
  }
  return [...byPeers.values()].map(({ peers, ports }) => ({ ports, ...peers }));
}

/** Egress of the servers: each other and DNS; everything if they connect to other clusters as leaf node or gateway. */
function egress(nats: NatsRelease): readonly JsonObject[] {
  if (['leafnodes', 'gateway'].some((name) => truthy(atPath(protocolBlock(nats, name), 'enabled')))) return [{}];
  if (truthy(atPath(nats.values, 'config.merge.leafnodes'))) return [{}];
  return [dns, { to: [{ podSelector: { matchLabels: selectorLabels(nats) } }] }];
}

function policy(nats: NatsRelease, name: string, component: string, rules: JsonObject): JsonObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata(nats, name, component),
    spec: { podSelector: { matchLabels: selectorLabels(nats, component) }, policyTypes: ['Ingress', 'Egress'], ...rules },
  };
}

/** The NetworkPolicies of the servers and of nats-box; empty when the switch `network-policies` is off. */
export function networkPolicies(nats: NatsRelease): readonly JsonObject[] {
  if (!nats.context.switches['network-policies']) return [];
  const toServers = { to: [{ podSelector: { matchLabels: selectorLabels(nats) } }] };
  return [
    policy(nats, nats.names.full, 'nats', { ingress: ingress(nats), egress: egress(nats) }),
    ...(truthy(atPath(nats.values, 'natsBox.enabled'))
      ? [policy(nats, nats.names.box, 'nats-box', { egress: [dns, toServers] })]
      : []),
  ];
}

/** The PodDisruptionBudget of the servers. */
export function disruptionBudget(nats: NatsRelease): JsonObject {
  const document: JsonObject = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(nats, nats.names.podDisruptionBudget),
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorLabels(nats) } },
  };
  return overlaid(nats, document, ['podDisruptionBudget']);
}
