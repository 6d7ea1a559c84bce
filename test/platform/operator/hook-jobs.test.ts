import { expect, test } from 'vitest';
import { listAt, objectsAt, stringAt } from '../../../lib/json/index.ts';
import { caInjectScript, certificateScript, keygenScript, keySecretScript } from '../../../lib/platform/operator/hook-scripts.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

test('the hooks of the profile parity run the scripts that are tested, on the objects that are rendered', () => {
  const { objects } = renderPlatform({}, { profile: 'parity', namespace: 'dynamo-system', release: 'dynamo-platform' });
  const name = 'dynamo-platform-dynamo-operator';
  const secret = { secret: 'webhook-server-cert', namespace: 'dynamo-system' };
  const scripts = objects
    .filter(({ kind }) => kind === 'Job')
    .flatMap((job) =>
      ['initContainers', 'containers'].flatMap((key) =>
        objectsAt(job, 'spec', 'template', 'spec', key).map((one) => stringAt(listAt(one, 'command').at(-1))),
      ),
    );
  expect(new Set(scripts)).toEqual(
    new Set([
      keygenScript,
      keySecretScript,
      certificateScript({ ...secret, service: `${name}-webhook-service`, domain: 'cluster.local', days: '365' }),
      caInjectScript({ ...secret, configuration: `${name}-validating` }),
    ]),
  );
});
