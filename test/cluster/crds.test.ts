import { expect, test } from 'vitest';
import { crds } from '../../lib/api/crds.ts';
import { toYamlDocuments } from '../../lib/manifest/index.ts';
import { succeeded, type KubernetesObject } from '../control-plane/client.ts';
import { cluster, describeCluster } from '../control-plane/cluster-test.ts';

interface Stored extends KubernetesObject {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: unknown;
      readonly additionalPrinterColumns: unknown;
      readonly subresources?: unknown;
    }[];
  };
  readonly status: {
    readonly conditions: readonly { readonly type: string; readonly status: string; readonly message: string }[];
  };
}

describeCluster('CRDs on a real API server', () => {
  test('install with a plain kubectl apply, and a second one changes nothing', async () => {
    const input = toYamlDocuments(crds());
    const first = await cluster().kubectl(['apply', '-f', '-'], { input });
    expect(first.stderr).not.toContain('Too long');
    expect(first.exitCode).toBe(0);
    const second = await cluster().kubectl(['apply', '-f', '-'], { input });
    expect(second.stdout.trim().split('\n')).toEqual(
      crds().map((crd) => `customresourcedefinition.apiextensions.k8s.io/${crd.metadata.name} unchanged`),
    );
  });

  test.each(crds().map((crd) => [crd.spec.names.kind, crd] as const))('%s is accepted as it is', async (_kind, crd) => {
    await cluster().kubectl(['wait', '--for=condition=Established', '--timeout=300s', `crd/${crd.metadata.name}`]);
    const stored = succeeded(await cluster().client.get<Stored>(crd));
    const [ours] = crd.spec.versions;
    const [theirs] = stored.spec.versions;
    expect(theirs?.schema).toEqual(ours?.schema);
    expect(theirs?.additionalPrinterColumns).toEqual(ours?.additionalPrinterColumns);
    expect(theirs?.subresources).toEqual(ours?.subresources);
    expect(stored.status.conditions.filter(({ type, status }) => type === 'NonStructuralSchema' && status === 'True')).toEqual(
      [],
    );
  });

  test('explain themselves to kubectl', async () => {
    const { stdout } = await cluster().kubectl(['explain', 'dgd.spec.services.multinode.nodeCount']);
    expect(stdout).toContain('Nodes per replica.');
  });
});
