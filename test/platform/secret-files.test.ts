import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, listAt } from '../../lib/json/index.ts';
import { atPath, templateString } from '../../lib/platform/go-values.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';

const tls = { enabled: true, secretName: 'tls' };

/** Everything that mounts a Secret. */
const everything: JsonObject = {
  grove: { enabled: true },
  'kai-scheduler': { enabled: true },
  nats: {
    natsBox: { enabled: true, contexts: { default: { creds: { secretName: 'creds' }, tls: { secretName: 'box' } } } },
    security: { tls, auth: { enabled: true, secretName: 'auth' } },
  },
  etcd: {
    defrag: { enabled: true },
    disasterRecovery: { enabled: true },
    security: { tls, auth: { enabled: true, secretName: 'root' } },
    auth: { token: { privateKey: { existingSecret: 'key' } } },
  },
};

interface Volume {
  readonly pod: string;
  readonly mode: Json | undefined;
  readonly group: Json | undefined;
}

/** Volumes with files of Secrets, by pod and name. */
function secretVolumes(options = {}): ReadonlyMap<string, Volume> {
  const { objects, issues } = renderPlatform(everything, options);
  expect(issues).toEqual([]);
  return new Map(
    objects.flatMap((object) => {
      const pod = atPath(object, 'spec.template.spec') ?? atPath(object, 'spec.jobTemplate.spec.template.spec');
      return listAt(atPath(pod, 'volumes')).flatMap((volume): readonly (readonly [string, Volume])[] => {
        const source = atPath(volume, 'secret') ?? atPath(volume, 'projected');
        const holdsSecret = isObject(atPath(volume, 'secret')) || JSON.stringify(source ?? null).includes('"secret"');
        if (!holdsSecret) return [];
        const name = `${object.metadata.name} ${templateString(atPath(volume, 'name'))}`;
        const group = atPath(pod, 'securityContext.fsGroup');
        return [[name, { pod: object.metadata.name, mode: atPath(source, 'defaultMode'), group }]];
      });
    }),
  );
}

test('files of Secrets are for the group of the pod and not for everybody', () => {
  const volumes = secretVolumes();
  expect(volumes.size).toBeGreaterThan(10);
  for (const [name, { mode, group }] of volumes) {
    expect([0o400, 0o440], name).toContain(mode);
    expect(group, name).toBeGreaterThan(0);
  }
  expect(volumes.get('dynamo-platform-dynamo-operator-controller-manager cert')).toMatchObject({ mode: 0o440, group: 65532 });
});

test('OpenShift picks the group, and the mode stays', () => {
  for (const [name, { mode, group }] of secretVolumes({ apiVersions: ['security.openshift.io/v1'] })) {
    expect([0o400, 0o440], name).toContain(mode);
    expect(group, name).toBeUndefined();
  }
});

test('the profile parity mounts the serving key as the original does', () => {
  const { objects } = renderPlatform({}, { profile: 'parity' });
  const text = JSON.stringify(
    objects.find((o) => o.metadata.name.endsWith('operator-controller-manager') && o.kind === 'Deployment'),
  );
  expect(text).toContain('"defaultMode":420');
  expect(text).not.toContain('fsGroup');
});
