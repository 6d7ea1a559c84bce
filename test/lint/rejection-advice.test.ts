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
    [
      'ephemeral containers',
      service({ extraPodSpec: { ephemeralContainers: [{ name: 'e', image: 'i:1' }], mainContainer: main } }),
      ['spec.services.S.extraPodSpec.ephemeralContainers: remove it'],
    ],
    [
      'a token without a path, mounted nowhere',
      service({
        extraPodSpec: {
          volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: '', expirationSeconds: 1 } }] } }],
          mainContainer: main,
        },
      }),
      [
        'spec.services.S.extraPodSpec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: correct the volume or the mount',
        'spec.services.S.extraPodSpec.volumes[0].projected.sources[0].serviceAccountToken.path: set it',
      ],
    ],
    [
      'a component whose name is too long for its Services',
      component(
        { componentType: 'worker', dynamoNamespace: 'd', extraPodSpec: { serviceAccountName: 's', mainContainer: main } },
        { name: 'c'.repeat(62) },
      ),
      ['metadata.name: rename the component so that the names of its objects are valid'],
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
    const unnamed = {
      ...request,
      metadata: { name: 'r', namespace: 'n' },
      spec: {
        model: 'm',
        backend: 'vllm',
        profilingConfig: { profilerImage: 'p:1', config: {}, configMapRef: { name: '', key: 'a' } },
      },
    };
    expect(advice(stored(unnamed))).toEqual(['spec.profilingConfig.configMapRef.name: set it']);
    expect(advice(stored(request))).toEqual(['metadata.name: rename the request so that the name of the object is valid']);
  });
});

test('each problem of a field is reported, once for all objects that have it', () => {
  const resource = service({
    extraPodMetadata: { labels: { 'a b': 'x' }, annotations: { 'c d': 'y' } },
    extraPodSpec: { mainContainer: main },
  });
  const messages = rejectionFindings(renderLevels(resource, context('none')).objects).map(({ message }) => message);
  for (const value of ['"a b"', '"c d"']) expect(messages.filter((message) => message.includes(value))).toHaveLength(1);
});
