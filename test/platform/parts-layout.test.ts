import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const platform = resolve(import.meta.dirname, '../../lib/platform');
const parts = ['operator', 'nats', 'etcd', 'grove', 'kai', 'gaie'];

/** Files every part has, so that who knows one part knows them all. */
const common = ['index', 'schema', 'defaults', 'release', 'checks', 'workload', 'policies'];

/** The one file of a part in which objects of a kind are made. */
const homes: Readonly<Record<string, string>> = {
  NetworkPolicy: 'policies',
  PodDisruptionBudget: 'policies',
  ConfigMap: 'config',
  ServiceAccount: 'rbac',
  ClusterRole: 'rbac',
  ClusterRoleBinding: 'rbac',
  StatefulSet: 'workload',
  ServiceMonitor: 'monitors',
  PodMonitor: 'monitors',
  Service: 'network',
  ValidatingWebhookConfiguration: 'webhooks',
};

describe.each(parts)('lib/platform/%s', (part) => {
  const files = readdirSync(join(platform, part)).map((file) => file.replace(/\.ts$/, ''));

  test('has the files that every part has', () => {
    expect(common.filter((file) => !files.includes(file))).toEqual([]);
  });

  test('makes objects of a kind where every other part does', () => {
    const misplaced = files.flatMap((file) => {
      const source = readFileSync(join(platform, part, `${file}.ts`), 'utf8');
      const made = [...source.matchAll(/apiVersion:[^\n]*\n\s*kind: '(\w+)'/g)].map(([, kind = '']) => kind);
      return made.filter((kind) => homes[kind] !== undefined && homes[kind] !== file).map((kind) => `${kind} in ${file}.ts`);
    });
    expect(misplaced).toEqual([]);
  });
});
