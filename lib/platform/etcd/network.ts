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

/** The egress rule for DNS. */
export function dns({ context }: EtcdRelease): JsonObject {
  // A NetworkPolicy sees the port of the pod behind a Service, which is 5353 for the DNS of OpenShift.
  const ports = context.switches['network-policies'] ? [53, 5353] : [53];
  return { ports: ports.flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ port, protocol }))) };
}
