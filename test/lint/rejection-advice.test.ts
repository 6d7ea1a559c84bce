import { describe, expect, test } from 'vitest';
import type { ComponentSpec } from '../../lib/api/index.ts';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { rejectionFindings } from '../../lib/lint/index.ts';
import { renderLevels, type RenderableResource } from '../../lib/render/index.ts';
import { component, context, graph, stored } from '../render/graphs.ts';

/** Paths and changes of the rejections that are predicted for a resource. */
function advice(resource: RenderableResource): readonly string[] {
  return rejectionFindings(renderLevels(resource, context('none')).objects).map(
    ({ path, message }) => `${formatPath(path)}: ${message.slice(message.lastIndexOf('; ') + 2)}`,
  );
}

const main = { image: 'i:1' };
const service = (spec: ComponentSpec): RenderableResource => graph({ S: { componentType: 'worker', ...spec } });

describe('a predicted rejection names the field to change, and the change', () => {
  test.each<readonly [string, RenderableResource, readonly string[]]>([
    [
      'every init container without an image',
      service({ extraPodSpec: { initContainers: [{ name: 'a' }, { name: 'b' }], mainContainer: main } }),
      [
        'spec.services.S.extraPodSpec.initContainers[0].image: set it in this container',
        'spec.services.S.extraPodSpec.initContainers[1].image: set it in this container',
      ],
    ],
    [
      'a sidecar without an image',
      service({ extraPodSpec: { containers: [{ name: 'a' }], mainContainer: main } }),
      ['spec.services.S.extraPodSpec.containers[0].image: set it in this container'],
    ],
    [
      'a main container without an image',
      service({ extraPodSpec: { mainContainer: { name: 'a' } } }),
      ['spec.services.S.extraPodSpec.mainContainer.image: set it in extraPodSpec.mainContainer'],
    ],
    [
      'a sidecar with the name of the main container',
      service({ extraPodSpec: { containers: [{ name: 'main', image: 'i:1' }], mainContainer: main } }),
      ['spec.services.S.extraPodSpec.mainContainer.name: give every container of the pod its own name'],
    ],
    [
      'a port in quotes',
      service({ readinessProbe: { tcpSocket: { port: '80' } }, extraPodSpec: { mainContainer: main } }),
      [
        'spec.services.S.readinessProbe.tcpSocket.port: use a number from 1 to 65535 without quotes, or the name of a port of the container',
      ],
    ],
    [
      'a negative size of shared memory',
      service({ sharedMemory: { size: '-1Gi' }, extraPodSpec: { mainContainer: main } }),
      ['spec.services.S.sharedMemory.size: correct the resources'],
    ],
    [
      'a label that the selector of the Deployment has',
      service({ extraPodMetadata: { labels: { 'nvidia.com/selector': 'x' } }, extraPodSpec: { mainContainer: main } }),
      ['spec.services.S.extraPodMetadata.labels.nvidia.com/selector: correct the label or annotation'],
    ],
    [
      'a component without a graph, whose account has no name',
      component({ componentType: 'worker', dynamoNamespace: 'd', extraPodSpec: { mainContainer: main } }),
      ['spec: set extraPodSpec.serviceAccountName to the name of an account'],
    ],
  ])('%s', (_, resource, expected) => {
    expect(advice(resource)).toEqual(expected);
  });

  test('the name of a claim, and of the Job of a request', () => {
    const claim = { name: 'C_d', create: true, size: '1Gi', storageClass: 's', volumeAccessMode: 'ReadWriteOnce' };
    const withClaim = graph(
      { S: { componentType: 'worker', extraPodSpec: { mainContainer: main } } },
      { spec: { pvcs: [claim] } },
    );
    expect(advice(withClaim)).toEqual(['spec.pvcs[0].name: rename the claim']);
    const request: JsonObject = {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeploymentRequest',
      metadata: { name: 'r'.repeat(60), namespace: 'n' },
      spec: { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'p:1', config: {} } },
    };
    expect(advice(stored(request))).toEqual(['metadata.name: rename the request so that the name of its Job is valid']);
  });
});
