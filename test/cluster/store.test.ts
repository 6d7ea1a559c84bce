/** The in-memory model of the API server behaves as the real one in everything that the tests of decisions rely on. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findNumber, listAt, objectAt, stringAt, valueAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { ObjectKey, PatchOperation } from '../../lib/reconcile/index.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { componentOf, graphOf } from '../reconcile/cluster.ts';
import { keyOf, Refused, Store, versionOf } from '../reconcile/store.ts';

/** What both can be asked to do. */
interface Server {
  readonly create: (object: JsonObject) => Promise<Answer>;
  readonly patch: (key: ObjectKey, patch: readonly PatchOperation[]) => Promise<Answer>;
  readonly status: (object: JsonObject) => Promise<Answer>;
  readonly scale: (key: ObjectKey, resourceVersion: string, replicas: number) => Promise<Answer>;
  readonly delete: (key: ObjectKey, uid?: string) => Promise<Answer>;
  readonly get: (key: ObjectKey) => Promise<JsonObject | undefined>;
}

interface Answer {
  readonly status: number;
  readonly reason?: string;
}

function modelServer(store: Store): Server {
  const answer = (act: () => unknown, status = 200): Promise<Answer> => {
    try {
      act();
      return Promise.resolve({ status });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return Promise.resolve({ status: error.status, reason: error.reason });
    }
  };
  return {
    create: (object) => answer(() => store.create(object), 201),
    patch: (key, patch) => answer(() => store.patch(key, patch)),
    status: (object) => answer(() => store.status(object, versionOf(object))),
    scale: (key, version, replicas) => answer(() => store.scale(key, version, replicas)),
    delete: (key, uid) => answer(() => store.delete(key, uid)),
    get: (key) => Promise.resolve(store.get(key)),
  };
}

function realServer(): Server {
  const { client } = cluster();
  const identity = ({ apiVersion, kind, namespace, name }: ObjectKey) => ({ apiVersion, kind, metadata: { namespace, name } });
  const answered = ({ status, body }: { readonly status: number; readonly body: { readonly reason?: string } }): Answer =>
    status < 300 ? { status } : { status, ...(body.reason !== undefined && { reason: body.reason }) };
  const whole = (object: JsonObject) => object as unknown as Parameters<typeof client.create>[0];
  return {
    create: async (object) => answered(await client.create(whole(object))),
    patch: async (key, body) => {
      const path = await client.paths.ofObject(identity(key));
      return answered(await client.request('PATCH', path, { body, contentType: 'application/json-patch+json' }));
    },
    status: async (object) => answered(await client.update(whole(object), 'status')),
    scale: async (key, resourceVersion, replicas) => {
      const { namespace, name } = key;
      const path = await client.paths.ofObject(identity(key), 'scale');
      const body = {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { namespace, name, resourceVersion },
        spec: { replicas },
      };
      return answered(await client.request('PUT', path, { body }));
    },
    delete: async (key, uid) => {
      const path = await client.paths.ofObject(identity(key));
      return answered(
        await client.request('DELETE', path, {
          body: { kind: 'DeleteOptions', apiVersion: 'v1', ...(uid !== undefined && { preconditions: { uid } }) },
        }),
      );
    },
    get: async (key) => {
      for (;;) {
        const { status, body } = await client.get(identity(key));
        if (status !== 200) return undefined;
        const object = body as unknown as JsonObject;
        if (key.kind !== 'Deployment' || isObserved(object)) return object;
        // The Deployment's own controller writes its status: wait for it, so that it does not come in between.
        await setTimeout(50);
      }
    },
  };
}

function isObserved(deployment: JsonObject): boolean {
  const isDeleting = valueAt(deployment, 'metadata', 'deletionTimestamp') !== undefined;
  return isDeleting || valueAt(deployment, 'status', 'observedGeneration') === valueAt(deployment, 'metadata', 'generation');
}

/** What is told of an object: what both must agree in. */
function facts(object: JsonObject | undefined, versions: string[]): Json {
  if (object === undefined) return 'gone';
  const version = versionOf(object);
  if (!versions.includes(version)) versions.push(version);
  const others = {
    // The first version is 0, each new one counts on: whether a write changed anything.
    version: versions.indexOf(version),
    hasAnnotations: valueAt(object, 'metadata', 'annotations') !== undefined,
    note: valueAt(object, 'status', 'conditions', 0, 'message') ?? null,
  };
  return {
    // Status and version of a Deployment are its controller's too.
    ...(keyOf(object).kind !== 'Deployment' && others),
    generation: findNumber(object, 'metadata', 'generation') ?? null,
    deleting: valueAt(object, 'metadata', 'deletionTimestamp') !== undefined,
    finalizers: listAt(object, 'metadata', 'finalizers'),
    hasUid: stringAt(object, 'metadata', 'uid') !== '',
    annotation: valueAt(object, 'metadata', 'annotations', 'note') ?? null,
    replicas: valueAt(object, 'spec', 'replicas') ?? null,
  };
}

type Script = (
  server: Server,
  namespace: string,
  tell: (what: string, answer: Answer, key: ObjectKey) => Promise<void>,
) => Promise<void>;

const condition = (message: string): Json => ({
  type: 'Available',
  status: 'False',
  reason: 'Test',
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

/** Paused, so that its controller does not annotate it. */
const deployment: JsonObject = {
  paused: true,
  replicas: 1,
  selector: { matchLabels: { app: 'x' } },
  template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'i' }] } },
};

/** Objects of the kinds whose versions and generations decisions rest on. */
const examples: Readonly<Record<string, (namespace: string) => JsonObject>> = {
  DynamoComponentDeployment: (namespace) => ({ ...componentOf('a'), metadata: { name: 'a', namespace } }),
  DynamoGraphDeployment: (namespace) => ({ ...graphOf('a'), metadata: { name: 'a', namespace } }),
  DynamoGraphDeploymentScalingAdapter: (namespace) => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentScalingAdapter',
    metadata: { name: 'a', namespace },
    spec: { replicas: 1, dgdRef: { name: 'g', serviceName: 's' } },
  }),
  Deployment: (namespace) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a', namespace },
    spec: deployment,
  }),
  Service: (namespace) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a', namespace },
    spec: { selector: { app: 'x' }, ports: [{ port: 80 }] },
  }),
  ConfigMap: (namespace) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace }, data: { a: 'b' } }),
};

const note = (value: string): PatchOperation => ({ op: 'add', path: '/metadata/annotations', value: { note: value } });

/** What decisions do to an object, and what may come in between. */
const life =
  (example: (namespace: string) => JsonObject): Script =>
  async (server, namespace, tell) => {
    const object = example(namespace);
    const key = keyOf(object);
    const live = async (): Promise<JsonObject> => (await server.get(key)) ?? {};
    const test = async (version?: string): Promise<PatchOperation> => ({
      op: 'test',
      path: '/metadata/resourceVersion',
      value: version ?? versionOf(await live()),
    });
    await tell('create', await server.create(object), key);
    await tell('create what is there', await server.create(object), key);
    const old = versionOf(await live());
    await tell('annotate', await server.patch(key, [await test(), note('one')]), key);
    await tell('annotate with the same', await server.patch(key, [await test(), note('one')]), key);
    await tell('patch an old version', await server.patch(key, [await test(old), note('two')]), key);
    if (findNumber(object, 'spec', 'replicas') !== undefined) {
      const two: PatchOperation = { op: 'replace', path: '/spec/replicas', value: 2 };
      await tell('change the spec', await server.patch(key, [await test(), two, note('three')]), key);
      await tell('the same spec again', await server.patch(key, [await test(), two]), key);
    }
    await tell(
      'remove the annotation',
      await server.patch(key, [await test(), { op: 'remove', path: '/metadata/annotations/note' }]),
      key,
    );
    await tell('delete another uid', await server.delete(key, '00000000-0000-0000-0000-000000000000'), key);
    await tell(
      'add a finalizer',
      await server.patch(key, [await test(), { op: 'add', path: '/metadata/finalizers', value: ['x.test/f'] }]),
      key,
    );
    await tell('delete with a finalizer', await server.delete(key, stringAt(await live(), 'metadata', 'uid')), key);
    await tell('delete again', await server.delete(key), key);
    await tell(
      'remove the finalizer',
      await server.patch(key, [await test(), { op: 'remove', path: '/metadata/finalizers/0' }]),
      key,
    );
    await tell('patch what is gone', await server.patch(key, [note('four')]), key);
    await tell('delete what is gone', await server.delete(key), key);
  };

const statusLife: Script = async (server, namespace, tell) => {
  const object = { ...componentOf('a'), metadata: { name: 'a', namespace }, status: { conditions: [condition('born')] } };
  const key = keyOf(object);
  const live = async (): Promise<JsonObject> => (await server.get(key)) ?? {};
  await tell('create with a status', await server.create(object), key);
  const old = await live();
  await tell('write the status', await server.status({ ...old, status: { conditions: [condition('one')] } }), key);
  await tell('write an old status', await server.status({ ...old, status: { conditions: [condition('two')] } }), key);
  await tell(
    'write the same status',
    await server.status({ ...(await live()), status: { conditions: [condition('one')] } }),
    key,
  );
  const spec = { ...objectAt(await live(), 'spec'), replicas: 9 };
  await tell(
    'a spec beside the status',
    await server.status({ ...(await live()), spec, status: { conditions: [condition('three')] } }),
    key,
  );
  await tell(
    'a status beside the spec',
    await server.patch(key, [{ op: 'replace', path: '/status', value: { conditions: [condition('four')] } }]),
    key,
  );
};

const scaleLife: Script = async (server, namespace, tell) => {
  const object = examples['DynamoGraphDeploymentScalingAdapter']?.(namespace) ?? {};
  const key = keyOf(object);
  await tell('create', await server.create(object), key);
  const old = versionOf((await server.get(key)) ?? {});
  await tell('scale', await server.scale(key, old, 3), key);
  await tell('scale an old version', await server.scale(key, old, 4), key);
  await tell('scale to the same', await server.scale(key, versionOf((await server.get(key)) ?? {}), 3), key);
};

async function transcript(server: Server, namespace: string, script: Script): Promise<readonly Json[]> {
  const told: Json[] = [];
  const versions: string[] = [];
  await script(server, namespace, async (what, answer, key) => {
    told.push({ what, ...answer, object: facts(await server.get(key), versions) });
  });
  return told;
}

describeCluster('the model of the API server', () => {
  const scripts: readonly (readonly [string, Script])[] = [
    ...Object.entries(examples).map(([kind, example]) => [`a ${kind}`, life(example)] as const),
    ['a status', statusLife],
    ['a scale', scaleLife],
  ];

  test.each(scripts)('agrees with the real one about %s', async (_name, script) => {
    const namespace = await newNamespace();
    const real = await transcript(realServer(), namespace, script);
    expect(await transcript(modelServer(new Store()), namespace, script)).toEqual(real);
  });

  test('agrees with the real one about what goes with its owners', async () => {
    const namespace = await newNamespace();
    const remains = async (server: Server, collect: () => Promise<void>): Promise<Json> => {
      const make = (name: string, owners: readonly Json[] = []): JsonObject => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace, ...(owners.length > 0 && { ownerReferences: owners }) },
      });
      const key = (name: string): ObjectKey => keyOf(make(name));
      const owner = async (name: string): Promise<Json> => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name,
        uid: stringAt(await server.get(key(name)), 'metadata', 'uid'),
      });
      for (const name of ['first', 'second']) await server.create(make(name));
      await server.create(make('of-first', [await owner('first')]));
      await server.create(make('of-both', [await owner('first'), await owner('second')]));
      await server.create(make('below', [await owner('of-first')]));
      await server.delete(key('first'));
      await collect();
      const left: Json[] = [];
      for (const name of ['first', 'second', 'of-first', 'of-both', 'below']) {
        const object = await server.get(key(name));
        left.push([
          name,
          object === undefined ? 'gone' : listAt(object, 'metadata', 'ownerReferences').map((one) => stringAt(one, 'name')),
        ]);
      }
      return left;
    };
    const server = realServer();
    const isCollected = async (): Promise<boolean> => {
      const at = (name: string): ObjectKey => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });
      const [below, shared] = [await server.get(at('below')), await server.get(at('of-both'))];
      return below === undefined && listAt(shared, 'metadata', 'ownerReferences').length === 1;
    };
    const real = await remains(server, async () => {
      while (!(await isCollected())) await setTimeout(100);
    });
    const store = new Store();
    expect(await remains(modelServer(store), () => Promise.resolve(void store.collect()))).toEqual(real);
  });
});
