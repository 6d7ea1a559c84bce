/**
 * Passes of the operator on a real API server, made when a test says so: the operator's own client, passes and decisions, without its cache and
 * queue, so that a test knows when everything has settled.
 */
import { loadClusterConfig } from '../../lib/runtime/api/cluster-config.ts';
import { ApiClient } from '../../lib/runtime/api/client.ts';
import { Transport } from '../../lib/runtime/api/transport.ts';
import { reconcilePass, type LookupAnswer, type PassContext, type PassResult } from '../../lib/runtime/controllers/pass.ts';
import { HttpEffects } from '../../lib/runtime/effects/http-effects.ts';
import {
  adaptersOf,
  decideGraph,
  decideModel,
  decideRequest,
  type Effect,
  type EffectResult,
  type Event,
  type Lookup,
  type ObjectKey,
  type Write,
} from '../../lib/reconcile/index.ts';
import { chartConfig, type OperatorConfig } from '../../lib/render/index.ts';

const deciders = {
  DynamoGraphDeployment: decideGraph,
  DynamoGraphDeploymentRequest: decideRequest,
  DynamoModel: decideModel,
} as const;

/** What came of passes over one resource. */
export interface Settled {
  readonly writes: readonly string[];
  readonly events: readonly string[];
  readonly errors: readonly string[];
  readonly lookAgainSeconds?: number;
}

const mostPasses = 20;

/** Makes passes for tests. */
export class Passes {
  readonly #client: ApiClient;
  readonly #config: OperatorConfig;
  readonly #effects: HttpEffects;
  readonly #signal: AbortSignal;

  private constructor(client: ApiClient, config: OperatorConfig, signal: AbortSignal, effects: HttpEffects) {
    this.#client = client;
    this.#config = config;
    this.#signal = signal;
    this.#effects = effects;
  }

  /** Passes of a user, by its kubeconfig. */
  static async start(
    kubeconfig: string,
    config: OperatorConfig = chartConfig(),
    signal = new AbortController().signal,
    effects = new HttpEffects(),
  ): Promise<Passes> {
    const transport = new Transport(await loadClusterConfig({ kubeconfig, env: {} }), { userAgent: 'dynamo-cdk8s' });
    return new Passes(new ApiClient(transport), config, signal, effects);
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    await this.#client.transport.close();
  }

  /** Passes over a resource until nothing is written any more, it is gone, or a pass fails. */
  async settle(key: ObjectKey & { readonly kind: keyof typeof deciders }, firstPass = false): Promise<Settled> {
    const writes: string[] = [];
    const events: string[] = [];
    const errors: string[] = [];
    for (let passes = 0; passes < mostPasses; passes++) {
      const before = writes.length;
      const result = await this.pass(key, writes, events, firstPass && passes === 0);
      if (result?.error !== undefined) errors.push(result.error.message);
      const isDone = writes.length === before && result?.isStale !== true && result?.lookAgainSeconds !== 0;
      if (result === undefined || result.error !== undefined || isDone) {
        const { lookAgainSeconds } = result ?? {};
        return { writes, events, errors, ...(lookAgainSeconds !== undefined && { lookAgainSeconds }) };
      }
    }
    throw new Error(`${key.name} does not settle: ${writes.join(', ')}`);
  }

  /** One pass; nothing where the resource is gone. */
  async pass(
    key: ObjectKey & { readonly kind: keyof typeof deciders },
    writes: string[] = [],
    events: string[] = [],
    firstPass = false,
  ): Promise<PassResult | undefined> {
    const resource = await this.#client.find(key, this.#signal);
    if (resource === undefined) return undefined;
    const context: PassContext = {
      client: this.#client,
      creations: new Map(),
      answers: {
        put: () => {},
        has: () => false,
        remove: () => {},
        reread: async (key) => (await this.#client.find(key, this.#signal)) ?? null,
      },
      wrote: ({ verb, target }: Write) => void writes.push(`${verb} ${target.kind} ${target.name}`),
      rest: () => {},
      decide: deciders[key.kind],
      lookUp: (lookup) => this.#lookUp(lookup),
      runEffects: (effects) => this.#run(effects),
      tell: (told: readonly Event[]) =>
        void events.push(...told.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)),
    };
    const start = {
      now: new Date().toISOString(),
      config: this.#config,
      apiGroups: [],
      resource,
      objects: {},
      lists: {},
      firstPass,
    };
    return reconcilePass(start, context, this.#signal);
  }

  async #lookUp(lookup: Lookup): Promise<LookupAnswer> {
    if (lookup.question === 'get') return (await this.#client.find(lookup, this.#signal)) ?? null;
    const { namespace, select } = lookup;
    const labels = 'labels' in select ? Object.entries(select.labels).map(([name, value]) => `${name}=${value}`) : [];
    const found = await this.#client.list(
      lookup,
      { namespace, labelSelector: labels.join(',') },
      (object) => object,
      this.#signal,
    );
    if ('labels' in select || 'secretType' in select) return found.items;
    if ('index' in select) return found.items.filter((model) => adaptersOf(model).includes(select.value));
    const [owner, controls] = 'controllerUid' in select ? [select.controllerUid, true] : [select.coOwnerUid, false];
    return found.items.filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ uid, controller = false }) => controller === controls && uid === owner),
    );
  }

  #run(effects: readonly Effect[]): Promise<Readonly<Record<string, EffectResult>>> {
    return this.#effects.run(
      effects.flatMap((effect) => (effect.effect === 'http' ? [effect] : [])),
      this.#signal,
    );
  }
}
