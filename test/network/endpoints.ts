import { succeeded } from '../control-plane/client.ts';
import { cluster } from '../control-plane/cluster-test.ts';

/** Makes the endpoints of the base model those at the addresses, in slices of a hundred. */
export async function setEndpoints(namespace: string, addresses: readonly string[]): Promise<void> {
  for (let index = 0; index * 100 < Math.max(addresses.length, 1); index++)
    succeeded(
      await cluster().client.apply({
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          name: `slice-${index}`,
          namespace,
          labels: { 'nvidia.com/dynamo-base-model-hash': 'fb68f5a6', 'kubernetes.io/service-name': 'dynamo-model-fb68f5a6' },
        },
        addressType: 'IPv4',
        endpoints: addresses.slice(index * 100, index * 100 + 100).map((address) => ({
          addresses: [address],
          conditions: { ready: true },
          targetRef: { kind: 'Pod', name: `pod-${address.replaceAll('.', '-')}`, namespace },
        })),
      }),
    );
}
