/** A cluster in which faults occur while graphs exist: each graph must end like an undisturbed one, with nothing created or reported twice. */
import { expect, onTestFinished } from 'vitest';
import type { Json } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { startOperator } from '../control-plane/operator.ts';
import { times, type Disturbance } from './disturbances.ts';
import { createdTwice, makeNamespace, openWay, type Way } from './fault-rig.ts';
import { leftIn, playDeployments, steps, take, toldIn, until } from './graph-life.ts';
import { hurriedClock } from './hurried-clock.ts';
import {
  openOperatorCluster,
  operatorFlags,
  writesUntilQuiet,
  type OperatorClusterOptions,
  type OwnedCluster,
} from './operator-cluster.ts';

const undisturbedNamespace = 'undisturbed';

/** How a graph ends, and what is told on its way. */
interface End {
  readonly left: Readonly<Record<string, Json>>;
  readonly told: readonly string[];
}

/** A control plane with a graph that nobody disturbed, to compare others with. */
export class DisturbedCluster {
  readonly owned: OwnedCluster;
  readonly #playing = new AbortController();
  readonly #played: Promise<void>;
  #undisturbed: Promise<End> | undefined;

  private constructor(owned: OwnedCluster) {
    this.owned = owned;
    this.#played = playDeployments(owned.cluster.client, this.#playing.signal);
  }

  /** Starts it. */
  static async open(options: Pick<OperatorClusterOptions, 'groups'> = {}): Promise<DisturbedCluster> {
    return new DisturbedCluster(await openOperatorCluster({ ...options, withoutControllers: ['deployment'] }));
  }

  /** Ends it. */
  async close(): Promise<void> {
    this.#playing.abort();
    await this.#played;
    await this.owned.stop();
  }

  /** The cluster as tests use it. */
  get cluster(): Cluster {
    return this.owned.cluster;
  }

  /** Opens a way for an operator that ends with the test. */
  async newWay(): Promise<Way> {
    const { connection } = this.cluster;
    const way = await openWay({ connection, user: (name) => this.cluster.user(name) });
    onTestFinished(way.close);
    return way;
  }

  /** Lives a graph's life in a new namespace, with an operator that something is done to, and looks at what came of it. */
  async live(
    namespace: string,
    disturb: (life: () => Promise<void>) => Promise<void>,
    { restarts, refuses }: Pick<Disturbance, 'restarts' | 'refuses'> = {},
  ): Promise<void> {
    this.#undisturbed ??= this.#liveUndisturbed();
    const undisturbed = await this.#undisturbed;
    const { audit } = this.cluster;
    const since = await audit.now();
    await makeNamespace(this.cluster, namespace);
    await disturb(async () => {
      await this.#lead(namespace);
      await this.#converge(namespace, undisturbed);
    });
    const { username } = this.cluster.user('operator');
    // An API server that is killed leaves requests without an answer.
    expect(createdTwice(await audit.calls({ username, since, namespace, answered: true }))).toEqual([]);
    const isForbidden = (event: string): boolean => /^Warning .* is forbidden: User /.test(event);
    const isExpected = (event: string): boolean =>
      (restarts === true && isForbidden(event)) || (refuses === true && event.startsWith('Warning '));
    const told = (await toldIn(this.cluster.client, namespace)).filter((event) => !isExpected(event));
    expect(without(told, undisturbed.told), 'told too often').toEqual([]);
  }

  /**
   * Lives a graph's life with an operator behind a proxy that disturbs it. Returns how many calls were left without an answer: on a busy machine
   * an operator whose clock is hurried gives up some by itself, and whatever becomes of those may go untold.
   */
  async liveBehindProxy(namespace: string, { begin, hurry = times, ...expected }: Disturbance): Promise<number> {
    let abandoned = 0;
    const disturb = async (life: () => Promise<void>): Promise<void> => {
      const { proxy, kubeconfig } = await this.newWay();
      const place = { clock: hurriedClock(hurry) };
      const operator = await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers, place });
      await operator.line(({ msg }) => msg === 'Starting Controller');
      const ended = begin(proxy, this.owned);
      await life().catch((error: unknown) => {
        process.stderr.write(
          `${operator.lines
            .slice(-60)
            .map((line) => JSON.stringify(line))
            .join('\n')}\n`,
        );
        throw error;
      });
      expect(await ended(), 'how often it was disturbed').toBeGreaterThan(0);
      proxy.heal();
      // A write whose answer never comes is waited for; an operator that stops meanwhile says that it could not wait for its end.
      await proxy.until(() => proxy.underWay === 0);
      abandoned = proxy.abandoned;
      expect(await operator.stop()).toBe(0);
    };
    await this.live(namespace, disturb, expected);
    return abandoned;
  }

  /** What was told of the undisturbed graph and not at all in a namespace. */
  async untold(namespace: string): Promise<readonly string[]> {
    const { told = [] } = (await this.#undisturbed) ?? {};
    const here = await toldIn(this.cluster.client, namespace);
    return told.filter((event) => !here.includes(event));
  }

  /** Starts one more operator, which must find nothing to do. */
  async expectNothingToDo(args = operatorFlags): Promise<void> {
    const since = await this.cluster.audit.now();
    const { kubeconfig } = this.cluster.user('operator');
    await startOperator({ args, namespace: 'dynamo-system', kubeconfig, controllers });
    expect((await writesUntilQuiet(this.cluster, since, 4000)).map(describeCall)).toEqual([]);
  }

  async #liveUndisturbed(): Promise<End> {
    const { client } = this.cluster;
    const { kubeconfig } = this.cluster.user('operator');
    await makeNamespace(this.cluster, undisturbedNamespace);
    const operator = await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers });
    await this.#lead(undisturbedNamespace);
    expect(await operator.stop()).toBe(0);
    return { left: await leftIn(client, undisturbedNamespace), told: await toldIn(client, undisturbedNamespace) };
  }

  async #lead(namespace: string): Promise<void> {
    const { client } = this.cluster;
    for (const step of steps) await take(step, client, namespace);
    // Children of the component that was taken away go a little later than it.
    const isGone = async (): Promise<boolean> =>
      Object.keys(await leftIn(client, namespace)).every((name) => !name.includes('g-prefill'));
    await until(isGone, 'what belonged to the service is gone');
  }

  /** Waits until a namespace is as the undisturbed one, or says how it is not. */
  async #converge(namespace: string, { left }: End): Promise<void> {
    const { client } = this.cluster;
    const isEqual = async (): Promise<boolean> => JSON.stringify(await leftIn(client, namespace)) === JSON.stringify(left);
    await until(isEqual, 'the namespace is as an undisturbed one').catch(async () =>
      expect(await leftIn(client, namespace)).toEqual(left),
    );
  }
}

/** What a list has more often than another. */
function without(list: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return list.filter((item) => {
    const found = rest.indexOf(item);
    if (found >= 0) rest.splice(found, 1);
    return found < 0;
  });
}
