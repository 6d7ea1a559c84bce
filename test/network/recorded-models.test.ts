/**
 * The whole operator with the recorded steps and real workers: calls, writes in the audit log, events and statuses equal the original's, except for
 * the listed differences.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { succeeded, type KubernetesObject } from '../control-plane/client.ts';
import { cluster, describeCluster, withNamespace } from '../control-plane/cluster-test.ts';
import { startOperator } from '../control-plane/operator.ts';
import { expectAsRecorded, recordedModels, recordParts, type StepRecord } from '../live/compare-models.ts';
import { modelSteps, type ModelStep } from '../live/model-steps.ts';
import { RecordedWorkers } from './recorded-workers.ts';
import { watchStatuses, type StatusWatch } from './watch-statuses.ts';

const workers = new RecordedWorkers();
const isLong = process.env['LONG'] !== undefined;
/** All of them wait for time-outs and retries. */
const steps = isLong ? modelSteps : modelSteps.slice(0, 5);
/** So many looks in a row without news mean that nothing happens any more. */
const quietLooks = isLong ? 60 : 20;

/** One play of the steps in a namespace. */
class LivePlay {
  readonly #namespace: string;
  readonly #statuses: StatusWatch;
  readonly #told = new Set<string>();

  constructor(namespace: string, statuses: StatusWatch) {
    this.#namespace = namespace;
    this.#statuses = statuses;
  }

  /** Does what a step says, one thing after the other, each until nothing happens any more. */
  async play({ step, create, edit, remove, endpoints, workers: changed, tick }: ModelStep): Promise<StepRecord> {
    const { client } = cluster();
    const since = await cluster().audit.now();
    if (changed !== undefined) workers.change(changed);
    if (create !== undefined)
      succeeded(await client.create({ ...(create as KubernetesObject), metadata: this.#metadata(create) }));
    if (endpoints !== undefined) await this.#setEndpoints(endpoints);
    if (edit !== undefined) {
      await this.#untilQuiet(since);
      succeeded(await client.merge(this.#model(edit.name), { spec: edit.spec }));
    }
    if (remove !== undefined) {
      await this.#untilQuiet(since);
      succeeded(await client.delete(this.#model(remove)));
    }
    if (tick !== undefined) while (workers.activity.calls === 0) await setTimeout(100);
    await this.#untilQuiet(since);
    return {
      step,
      http: workers.take(),
      writes: await this.#writes(since),
      events: await this.#events(),
      statuses: this.#statuses.take(),
    };
  }

  #metadata(object: JsonObject): KubernetesObject['metadata'] {
    return { ...(object['metadata'] as KubernetesObject['metadata']), namespace: this.#namespace };
  }

  #model(name: string): { readonly apiVersion: string; readonly kind: string; readonly metadata: KubernetesObject['metadata'] } {
    return { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoModel', metadata: { name, namespace: this.#namespace } };
  }

  async #setEndpoints(endpoints: readonly JsonObject[]): Promise<void> {
    const labels = {
      'nvidia.com/dynamo-base-model-hash': 'fb68f5a6',
      'kubernetes.io/service-name': 'dynamo-model-fb68f5a6',
    };
    const metadata = { name: 'slice', namespace: this.#namespace, labels };
    const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata };
    const { client } = cluster();
    if (endpoints.length === 0) succeeded(await client.delete(slice));
    else succeeded(await client.apply({ ...slice, addressType: 'IPv4', endpoints }));
  }

  async #untilQuiet(since: number): Promise<void> {
    // Looks, each with an answer of the API server, not seconds: on a busy machine all who take part are slow together.
    for (let last = '', quiet = 0; quiet < quietLooks; await setTimeout(50)) {
      succeeded(await cluster().client.list({ apiVersion: 'v1', kind: 'Event', namespace: this.#namespace }));
      const writes = await this.#writes(since);
      const { underWay, calls } = workers.activity;
      const now = JSON.stringify([calls, writes.length, this.#statuses.count()]);
      [last, quiet] = now !== last || underWay > 0 ? [now, 0] : [last, quiet + 1];
    }
  }

  async #writes(since: number): Promise<readonly string[]> {
    const { username } = cluster().user('operator');
    const made = await cluster().audit.writes({ username, since, namespace: this.#namespace });
    return made
      .filter(({ objectRef }) => objectRef?.resource === 'dynamomodels')
      .map(({ verb, objectRef, responseStatus }) => {
        const { subresource, name } = objectRef ?? {};
        // The original sends the whole object back where ours patches its metadata.
        const done = verb === 'patch' ? 'update' : verb;
        return `${done} dynamomodels${subresource === undefined ? '' : `/${subresource}`} ${name} ${responseStatus?.code}`;
      });
  }

  async #events(): Promise<readonly string[]> {
    const found = succeeded(await cluster().client.list({ apiVersion: 'v1', kind: 'Event', namespace: this.#namespace })).items;
    const fresh = found.filter(({ metadata }) => !this.#told.has(metadata.uid ?? ''));
    for (const { metadata } of fresh) this.#told.add(metadata.uid ?? '');
    return [...new Set(fresh.map(({ type, reason, message }) => `${String(type)} ${String(reason)}: ${String(message)}`))];
  }
}

describeCluster('models with the recorded workers', () => {
  beforeAll(async () => {
    const group = 'rbac.authorization.k8s.io';
    succeeded(
      await cluster().client.apply({
        apiVersion: `${group}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: { name: 'operator' },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: group, kind: 'User', name: cluster().user('operator').username }],
      }),
    );
    await workers.open();
  });
  afterAll(() => workers.close());

  test(`are handled live as recorded, but for what is listed (${steps.length} steps)`, async () => {
    const namespace = await withNamespace();
    const statuses = await watchStatuses(cluster(), namespace);
    onTestFinished(() => statuses.stop());
    const { kubeconfig } = cluster().user('operator');
    await startOperator({ namespace, kubeconfig, controllers });
    const play = new LivePlay(namespace, statuses);
    for (const [index, step] of steps.entries()) {
      const ours = await play.play(step);
      const theirs = recordedModels[index];
      expect(theirs?.step).toBe(step.step);
      if (theirs !== undefined) for (const part of recordParts) expectAsRecorded(part, theirs, ours);
    }
  });
});
