import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { grove } from '../../../lib/platform/grove/index.ts';
import { dig, inventory, objectOf, podOf, renderPart } from '../render-part.ts';

const secure = (block: JsonObject = {}) => renderPart(grove, block, { profile: 'secure' });

test('a changed configuration changes the name of the ConfigMap and so restarts the operator', () => {
  const configMap = (block: JsonObject) => objectOf(renderPart(grove, block), 'ConfigMap').metadata.name;
  expect(configMap({})).toMatch(/^grove-operator-cm-[0-9a-f]{8}$/);
  expect(configMap({})).toBe(configMap({ replicaCount: 3 }));
  expect(configMap({})).not.toBe(configMap({ config: { logLevel: 'debug' } }));
  const rendered = renderPart(grove, { config: { logLevel: 'debug' } });
  expect(dig(podOf(objectOf(rendered, 'Deployment')), 'volumes', 'operator-config')).toMatchObject({
    configMap: { name: objectOf(rendered, 'ConfigMap').metadata.name },
  });
});

test('the authorizer exempts accounts, by default those of the scheduler, or none', () => {
  const file = (authorizer: JsonObject) =>
    dig(objectOf(renderPart(grove, { config: { authorizer } }), 'ConfigMap'), 'data', 'config.yaml');
  expect(file({ enabled: true })).toMatch(
    /reconcilerServiceAccountUserName: system:serviceaccount:ns:grove-operator\n {2}exempt.*:\n( {4}- system:.*\n){5}$/,
  );
  expect(file({ enabled: true, exemptServiceAccountUserNames: [] })).not.toContain('exempt');
  expect(file({ enabled: false })).not.toContain('authorizer');
});

test('names, ports and labels follow the values everywhere they are used', () => {
  const rendered = renderPart(grove, {
    serviceAccount: { name: 'sa', automount: true, labels: { own: 'yes' } },
    service: { name: 'svc', type: 'NodePort' },
    clusterRole: { name: 'role' },
    clusterRoleBinding: { name: 'binding' },
    config: { server: { webhooks: { port: 1 }, metrics: { port: 2 } } },
    deployment: { labels: { tier: 'a' } },
    priorityClass: { enabled: true, name: 'pc', value: 5 },
  });
  expect(rendered.issues).toEqual([]);
  expect(objectOf(rendered, 'Service', 'svc')).toMatchObject({
    metadata: { labels: { own: 'yes' } },
    spec: { type: 'NodePort', selector: { tier: 'a' }, ports: [{ port: 2 }, { port: 1 }] },
  });
  expect(dig(objectOf(rendered, 'ClusterRoleBinding', 'binding'), 'roleRef', 'name')).toBe('role');
  expect(dig(objectOf(rendered, 'MutatingWebhookConfiguration'), 'webhooks', 0, 'clientConfig', 'service')).toMatchObject({
    name: 'svc',
    port: 1,
  });
  expect(podOf(objectOf(rendered, 'Deployment'))).toMatchObject({
    serviceAccountName: 'sa',
    automountServiceAccountToken: true,
    priorityClassName: 'pc',
  });
  expect(objectOf(rendered, 'PriorityClass', 'pc')).toMatchObject({ value: 5 });
});

test.each<[JsonObject, string]>([
  [{ image: { tag: null } }, 'image.tag'],
  [{ image: { repository: '' } }, 'image.repository'],
  [{ config: { server: null } }, 'config.server'],
  [{ deployment: null }, 'deployment'],
])('rejects %j', (block, path) => {
  const { issues, objects } = renderPart(grove, block);
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([`grove.${path}`]);
  expect(objects).toEqual([]);
});

test('the secure profile probes the operator, guards it, and says each right once', () => {
  const container = dig(podOf(objectOf(secure(), 'Deployment')), 'containers', 0);
  expect(container).toMatchObject({ livenessProbe: { httpGet: { port: 9444 } }, securityContext: { runAsNonRoot: true } });
  const rules = dig(objectOf(secure(), 'ClusterRole'), 'rules') as readonly JsonObject[];
  expect(rules.filter((rule) => (rule['resources'] as readonly string[]).includes('secrets'))).toHaveLength(1);
  expect(inventory(secure())).toContain('NetworkPolicy grove-operator');
  expect(inventory(secure())).not.toContain('PodDisruptionBudget grove-operator');
  expect(inventory(secure({ replicaCount: 2 }))).toContain('PodDisruptionBudget grove-operator');
});
