/**
 * `platform` rejects the values whose objects the API server rejects: one value is changed at a time, and the verdicts are compared. `LONG=1` tests
 * every change.
 */
import type { KubernetesObject } from '../../lib/api/index.ts';
import { beforeAll, expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { refusedFields } from '../../lib/rejections/index.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { type ValueMutation, valueMutations, valuesWith } from '../platform/value-mutations.ts';

/** Every part of the platform that values can turn on. */
const everything: JsonObject = {
  grove: { enabled: true },
  'kai-scheduler': { enabled: true },
  nats: {
    promExporter: { enabled: true, podMonitor: { enabled: true } },
    natsBox: { enabled: true },
    config: {
      cluster: { enabled: true, replicas: 3 },
      websocket: { enabled: true, ingress: { enabled: true, hosts: ['nats.example.com'] } },
    },
    podDisruptionBudget: { enabled: true },
  },
  etcd: {
    enabled: true,
    replicaCount: 3,
    defrag: { enabled: true },
    metrics: { enabled: true },
    networkPolicy: { enabled: true },
  },
  'dynamo-operator': { webhook: { certificateSecret: { external: true }, caBundle: 'Q0E=' } },
};

const key = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** Changed values that are tried at once. */
const batch = 16;

describeCluster('the API server refuses exactly the objects of the platform that are predicted', () => {
  let namespace = '';
  let base: ReadonlySet<string>;
  const asked = new Map<string, Promise<string | undefined>>();
  beforeAll(async () => {
    namespace = await newNamespace();
    base = new Set(
      renderPlatform(everything, { namespace, switches: { 'sound-values': false } }).objects.map((object) =>
        JSON.stringify(object),
      ),
    );
  });

  const builtIn = /^(v1|apps\/v1|batch\/v1|policy\/v1|[a-z.]+\.k8s\.io\/v1)$/;

  /** Where our verdict on an object differs from the API server's. */
  async function disagreement(object: KubernetesObject): Promise<string | undefined> {
    if (!builtIn.test(object.apiVersion)) return undefined;
    const { status, body } = await cluster().client.dryRunCreate(object, { fieldValidation: 'Strict' });
    // Nothing is said of an object whose namespace does not exist.
    if (status === 404) return undefined;
    const isRefused = [400, 413, 422].includes(status);
    const ours = refusedFields(object);
    if (isRefused === ours.length > 0) return undefined;
    return `${key(object)}: ${isRefused ? `refused: ${body.message ?? ''}` : `accepted (${status}), we refuse ${JSON.stringify(ours)}`}`;
  }

  async function judge(mutation: ValueMutation): Promise<string | undefined> {
    const values = mergeLayers([everything, valuesWith(mutation)]);
    const { objects, issues } = renderPlatform(values, { namespace, switches: { 'sound-values': false } });
    if (issues.length > 0) return undefined;
    const verdicts = await Promise.all(
      objects.map(async (object) => {
        const text = JSON.stringify(object);
        if (base.has(text)) return undefined;
        const verdict = asked.get(text) ?? disagreement(object);
        asked.set(text, verdict);
        return verdict;
      }),
    );
    const refused = verdicts.find((verdict) => verdict !== undefined);
    return refused && `${formatPath(mutation.path)} = ${JSON.stringify(mutation.value).slice(0, 120)}: ${refused.slice(0, 400)}`;
  }

  const isLong = process.env['LONG'] === '1';
  test('with one value changed', { timeout: isLong ? 3_600_000 : 600_000 }, async () => {
    const all = valueMutations().filter((_, index) => isLong || index % 40 === 0);
    const wrong: string[] = [];
    for (let i = 0; i < all.length; i += batch)
      wrong.push(...(await Promise.all(all.slice(i, i + batch).map(judge))).filter((text) => text !== undefined));
    process.stderr.write(`${all.length} changed values, ${asked.size} objects that differ\n`);
    expect(wrong).toEqual([]);
  });
});
