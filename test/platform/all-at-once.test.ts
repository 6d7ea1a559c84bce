import { expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';

const told = (values: JsonObject): readonly string[] => renderPlatform(values).issues.map(({ path }) => formatPath(path));

/** One wrong value for every check that looks at values, none of which depends on another. */
const wrong: Readonly<Record<string, JsonObject>> = {
  'dynamo-operator.discoveryBackend': { 'dynamo-operator': { discoveryBackend: 'consul' } },
  'dynamo-operator.dynamo.groveTerminationDelay': { 'dynamo-operator': { dynamo: { groveTerminationDelay: '4hours' } } },
  'dynamo-operator.kubernetesClusterDomain': { 'dynamo-operator': { kubernetesClusterDomain: '$(reboot)' } },
  'dynamo-operator.webhook.timeoutSeconds': { 'dynamo-operator': { webhook: { timeoutSeconds: 60 } } },
  'dynamo-operator.controllerManager.manager.args[1]': {
    'dynamo-operator': { controllerManager: { manager: { args: ['--leader-elect', '--leader-elct', '--config=x'] } } },
  },
  'dynamo-operator.controllerManager.manager.args[2]': {},
  'nats.config.jetstream.fileStore.pvc.size': { nats: { config: { jetstream: { fileStore: { pvc: { size: '10Gigs' } } } } } },
  'nats.config.merge.authorization.token': { nats: { config: { merge: { authorization: { token: 'hunter2' } } } } },
  'nats.container.merge.resources.limits.memory': {
    nats: { container: { merge: { resources: { limits: { memory: '2GB' } } } } },
  },
  'etcd.replicaCount': { etcd: { enabled: true, replicaCount: 0 } },
  'etcd.auth.rbac.rootPassword': { etcd: { auth: { rbac: { rootPassword: 'hunter2' } } } },
  'etcd.persistence.size': { etcd: { persistence: { size: 'ten' } } },
  'grove.image.tag': { grove: { enabled: true, image: { tag: '' } } },
  'grove.replicaCount': { grove: { replicaCount: -1 } },
  'platform.operator.kind': { platform: { operator: { kind: 'own' } } },
};

test('what is wrong is told at once, whichever check finds it', () => {
  const values = mergeLayers(Object.values(wrong));
  expect(new Set(told(values))).toEqual(new Set(Object.keys(wrong)));
});

test.each(Object.keys(wrong).filter((path) => !path.endsWith('args[2]')))(
  '%s is told alone as it is told among others',
  (path) => {
    const group = path.includes('args') ? Object.keys(wrong).filter((other) => other.includes('args')) : [path];
    expect(told(wrong[path] ?? {})).toEqual(group);
  },
);

test('a part that cannot be rendered does not hide what is wrong with the others', () => {
  const values = {
    nats: { config: 'none' },
    etcd: { persistence: { size: 'ten' } },
    'dynamo-operator': { discoveryBackend: 'x' },
  };
  expect(told(values)).toEqual(['nats.config', 'dynamo-operator.discoveryBackend', 'etcd.persistence.size']);
});

test('settings for all parts come first: without them nothing else can be judged', () => {
  expect(told({ platform: { networkPolicy: 'on' }, etcd: { persistence: { size: 'ten' } } })).toEqual(['platform.networkPolicy']);
});

test('values that are wrong in the same way are each told', () => {
  const storageClass = 'Fast_SSD';
  const values = {
    nats: { config: { jetstream: { fileStore: { pvc: { storageClassName: storageClass } } } } },
    etcd: { persistence: { storageClass } },
  };
  expect(told(values)).toEqual(['nats.config.jetstream.fileStore.pvc.storageClassName', 'etcd.persistence.storageClass']);
});

test('every wrong field of a list is told once, in however many pods it is', () => {
  const tolerations = [
    { key: 'a', operator: 'Equals' },
    { key: 'b', operator: 'Equals' },
    { key: 'c', effect: 'NoWay' },
  ];
  const { issues } = renderPlatform({ 'dynamo-operator': { controllerManager: { tolerations } } });
  const fields = issues.map(({ message }) => /tolerations\S*(?=:)/.exec(message)?.[0]);
  expect(fields).toEqual(['tolerations[0].operator', 'tolerations[1].operator', 'tolerations[2].effect']);
});

test('a value that is missing is told, and not what is missing for want of it', () => {
  expect(told({ platform: { operator: { kind: 'dynamo-cdk8s' } } })).toEqual(['platform.operator.image']);
});

test('a name that is wrong is told, and not every object that has it', () => {
  const { issues } = renderPlatform({ etcd: { persistence: { size: 'ten' } } }, { release: 'My_Release' });
  expect(issues.map(({ path }) => formatPath(path))).toEqual(['--release', 'etcd.persistence.size']);
});
