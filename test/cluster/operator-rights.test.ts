import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { isList, isObject, type JsonObject } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { flagTable } from '../../lib/runtime/flag-table.ts';
import { parseFlags } from '../../lib/runtime/go-flags.ts';
import { checkManagerOptions, checkOptions, readOptions } from '../../lib/runtime/options.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { startOperator } from '../control-plane/operator.ts';

const namespace = 'dynamo-system';
const values: JsonObject = { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/operator:1' } } };
const { objects } = renderPlatform(values, { namespace, release: 'dynamo-platform' });
const trusting = new Agent({ connect: { rejectUnauthorized: false } });
const rightKinds = ['ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];

/** The arguments of the manager in the rendered Deployment. */
function managerArguments(): readonly string[] {
  const deployments: readonly unknown[] = objects.filter(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('controller-manager'),
  );
  const found = JSON.stringify(deployments);
  const [deployment] = JSON.parse(found);
  const manager = deployment.spec.template.spec.containers.find(
    (container: unknown) => isObject(container) && container['name'] === 'manager',
  );
  return manager.args;
}

test('the operator takes the arguments the platform renders', () => {
  const parsed = parseFlags(flagTable, managerArguments());
  if (!('values' in parsed)) throw new Error(JSON.stringify(parsed));
  expect(parsed.rest).toEqual([]);
  const options = readOptions(parsed.values, {});
  expect(checkOptions(options) ?? checkManagerOptions(options)).toBeUndefined();
  expect(options).toMatchObject({
    election: { enabled: true, id: 'dynamo.nvidia.com', namespace: 'kube-system' },
    webhooks: {
      enabled: true,
      selfManaged: true,
      secretName: 'webhook-server-cert',
      serviceName: 'dynamo-platform-dynamo-operator-webhook-service',
      configurationName: 'dynamo-platform-dynamo-operator-validating',
    },
  });
});

describeCluster('the operator with the rights the platform renders', () => {
  test('starts, leads, serves its certificate, judges readers of its metrics and stops without being refused anything', async () => {
    const { client, audit } = cluster();
    const other = await newNamespace();
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (const object of objects.filter(({ kind }) => rightKinds.includes(kind))) succeeded(await client.apply(object));
    const [configuration] = objects.filter(({ kind }) => kind === 'ValidatingWebhookConfiguration');
    if (configuration === undefined) throw new Error('no webhooks are rendered');
    const { metadata } = configuration;
    // Nothing routes to the Service here, so the webhooks are kept from the graphs of other tests.
    const webhooks = (isList(configuration['webhooks']) ? configuration['webhooks'] : []).map((webhook) => ({
      ...(isObject(webhook) ? webhook : {}),
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': other } },
    }));
    onTestFinished(async () => void (await client.delete(configuration)));
    succeeded(await client.apply({ ...configuration, webhooks }));
    const user = cluster().user('operator');
    await untilAllowed(user.username);
    const since = await audit.now();
    const operator = await startOperator({
      namespace,
      kubeconfig: user.kubeconfig,
      controllers,
      args: [...managerArguments(), '--metrics-bind-address=127.0.0.1:0', '--health-probe-bind-address=127.0.0.1:0'],
    });
    await operator.line(({ msg }) => msg === 'Starting Controller');
    await fetch(`http://127.0.0.1:${operator.ports.probes}/readyz`).then(async (answer) =>
      expect([answer.status, await answer.text()]).toEqual([200, 'ok']),
    );
    const held = succeeded(await client.get({ ...configuration, metadata }));
    expect(JSON.stringify(held['webhooks']).match(/"caBundle"/g)).toHaveLength(webhooks.length);
    const metricsOf = async (reader: string): Promise<number> => {
      const headers = { authorization: `Bearer ${cluster().user(reader).token}` };
      const { statusCode, body } = await request(`https://127.0.0.1:${operator.ports.metrics}/metrics`, {
        dispatcher: trusting,
        headers,
      });
      await body.dump();
      return statusCode;
    };
    expect(await metricsOf('admin')).toBe(200);
    expect(await metricsOf('alice')).toBe(403);
    expect(await operator.stop()).toBe(0);
    const reviews = (await audit.calls({ username: user.username, since })).filter(
      ({ objectRef }) => objectRef?.resource?.endsWith('reviews') === true,
    );
    expect(reviews.map(describeCall)).toEqual(
      ['admin', 'alice'].flatMap(() => [
        'create authentication.k8s.io/tokenreviews -> 201',
        'create authorization.k8s.io/subjectaccessreviews -> 201',
      ]),
    );
    // Namespaces of other tests may be on their way out, where nobody may create anything.
    const isOfOtherTest = (name = ''): boolean => name.startsWith('test-') && name !== other;
    const refused = (await audit.calls({ username: user.username, since })).filter(
      ({ responseStatus, objectRef }) => responseStatus?.code === 403 && !isOfOtherTest(objectRef?.namespace),
    );
    expect(refused.map(describeCall)).toEqual([]);
  });
});

/** Waits until the authorizer, which watches roles, has seen the last of them. */
async function untilAllowed(user: string): Promise<void> {
  const spec = {
    user,
    resourceAttributes: {
      group: 'admissionregistration.k8s.io',
      resource: 'validatingwebhookconfigurations',
      verb: 'patch',
      name: 'dynamo-platform-dynamo-operator-validating',
    },
  };
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  for (;;) {
    const answer = await cluster().client.request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { body });
    if (JSON.stringify(answer.body['status']).includes('"allowed":true')) return;
    await setTimeout(20);
  }
}
