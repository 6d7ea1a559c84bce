/**
 * The process that hosts controllers and webhooks. Probes answer first; every replica serves metrics and webhooks and keeps its caches
 * filled; only the leader reconciles. It stops in the opposite order, and holds its Leases until nothing writes any more.
 */
import { setMaxListeners } from 'node:events';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { aborted, unlessAborted } from './aborted.ts';
import { ApiClient } from './api/client.ts';
import { loadClusterConfig } from './api/cluster-config.ts';
import type { EnvironmentVariables } from './api/proxy.ts';
import { Transport } from './api/transport.ts';
import { Cache } from './cache/cache.ts';
import { logCapabilities } from './capabilities.ts';
import { abortReason, type Clock, sleep, systemClock } from './clock.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type ElectionTiming, NotLeadingError } from './leader-election.ts';
import { EventWriter } from './events/recorder.ts';
import { createProbeServer } from './health.ts';
import { keepInventory } from './inventory.ts';
import { Leadership } from './leadership.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics, showControllers } from './metrics/registry.ts';
import { runMetrics } from './metrics/run-metrics.ts';
import { checkManagerOptions, type ManagerOptions, StartError } from './options.ts';
import { WorkQueue } from './queue/queue.ts';
import { type RunningServer, startServer } from './running-server.ts';
import { Exclusions } from './scope/exclusions.ts';
import { clusterScope, restrictedScope, type Scope, scopeLeaseReader } from './scope/scope.ts';
import { runWebhooks, type RunningWebhooks } from './webhook/run-webhooks.ts';
import type { SelfManagedTiming } from './webhook/self-managed-certificate.ts';

/** Arguments of `runManager`. */
interface ManagerStart {
  readonly options: ManagerOptions;
  readonly controllers: readonly Controller[];
  readonly environment: EnvironmentVariables;
  /** Version of this program. The first word of its user agent is `manager`, which the API server takes as field manager. */
  readonly version: string;
  readonly log: Log;
  /** Aborted when the process is to stop. */
  readonly signal: AbortSignal;
  /** @default - the original's ports, folders and times */
  readonly place?: ManagerPlace;
}

/** Ports, folders and times that the original fixes and that tests change. */
export interface ManagerPlace {
  readonly clock?: Clock;
  readonly webhookPort?: number;
  readonly webhookCertificates?: string;
  readonly serviceAccount?: string;
  readonly electionTiming?: ElectionTiming;
  readonly certificateTiming?: SelfManagedTiming;
  /** Called with the ports once all servers listen. */
  readonly onServing?: (ports: { readonly webhooks: number; readonly metrics: number; readonly probes: number }) => void;
}

/** Milliseconds for controllers to finish running passes. Of the pod's 30 s of grace, 4 s are left for releasing the Leases. */
const drainMs = 25_000;
/** Milliseconds for the whole stop: one second less than the kubelet grants, so that what took so long can still be logged. */
const stopMs = 29_000;
/** How long webhooks still answer after the stop began: API servers learn of removed endpoints a little later than the pod. */
const lameDuckMs = 3_000;
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Runs until the signal is aborted. Resolves after a clean stop; rejects with the error that ended it otherwise. */
export async function runManager(start: ManagerStart): Promise<void> {
  const manager = new Manager(start);
  // Timers of the clock do not keep the process alive, and between two attempts there may be no open connection.
  const alive = setInterval(() => {}, 3_600_000);
  try {
    await Promise.race([manager.run().then(() => manager.close()), manager.stopLimit()]);
  } catch (error) {
    manager.drop();
    if (!start.signal.aborted || error !== start.signal.reason) throw error;
  } finally {
    clearInterval(alive);
  }
}

class Manager {
  readonly #start: ManagerStart;
  readonly #clock: Clock;
  readonly #metrics: Metrics = createMetrics();
  readonly #setup: Log;
  /** Ends what every replica does: caches, certificates, inventory. */
  readonly #background = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #servers: RunningServer[] = [];
  #transport: Transport | undefined;
  #cache: Cache | undefined;
  #webhooks: RunningWebhooks | undefined;
  /** When the stop began. */
  #stoppedAt = 0;

  constructor(start: ManagerStart) {
    this.#start = start;
    this.#clock = start.place?.clock ?? systemClock;
    // Every watch and worker adds a listener: no leak, so no warning about their number.
    setMaxListeners(0, start.signal, this.#background.signal);
    this.#setup = start.log.named('setup');
    start.signal.addEventListener('abort', () => (this.#stoppedAt = this.#clock.now()), { once: true });
  }

  async run(): Promise<void> {
    const { options, environment, controllers, signal, version, log, place = {} } = this.#start;
    const setup = this.#setup;
    const probes = await this.#startProbes();
    this.#announce();
    const folder = place.serviceAccount ?? serviceAccountFolder;
    const config = await loadClusterConfig({ kubeconfig: options.kubeconfig, env: environment, serviceAccount: folder });
    const userAgent = `manager/${version} (${process.platform}/${process.arch}) dynamo-cdk8s`;
    const transport = new Transport(config, { clock: this.#clock, metrics: this.#metrics, env: environment, userAgent });
    this.#transport = transport;
    await transport.check();
    const problem = checkManagerOptions(options);
    if (problem !== undefined) throw new StartError(problem);
    const client = new ApiClient(transport);
    const podNamespace = await readFile(join(folder, 'namespace'), 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    );
    const leadership = new Leadership({
      options,
      client,
      namespace: this.#electionNamespace(podNamespace),
      hostname: environment['HOSTNAME'] ?? hostname(),
      userAgent,
      clock: this.#clock,
      metrics: this.#metrics,
      log,
      timing: place.electionTiming,
    });
    const metricsServer = await runMetrics({
      ...options.metrics,
      http2: options.http2,
      transport,
      clock: this.#clock,
      metrics: this.#metrics,
      log,
      folder: join(tmpdir(), 'k8s-metrics-server', 'serving-certs'),
      signal: this.#background.signal,
    });
    if (metricsServer !== undefined) this.#servers.push(metricsServer);
    showControllers(
      this.#metrics,
      controllers.map(({ name }) => name),
    );

    const cache = new Cache({ client, metrics: this.#metrics, log: log.named('cache') });
    this.#cache = cache;
    const scope = this.#scope(client, cache);
    for (const controller of controllers) cache.watch(...(controller.watches?.(options) ?? []));
    const apisKnown = new Promise<void>((resolve) => {
      cache.onApis((apis) => {
        logCapabilities(apis, setup);
        resolve();
      });
    });
    this.#supervise(cache.run(this.#background.signal));
    await unlessAborted(apisKnown, signal);
    await this.#startWebhooks(client, cache, scope, podNamespace ?? config.namespace);
    place.onServing?.({ webhooks: this.#webhooks?.port ?? 0, metrics: metricsServer?.port ?? 0, probes: probes?.port ?? 0 });
    setup.info('starting manager');
    await unlessAborted(cache.synced(signal), signal);
    setup.info('Secret informer cache synced and ready');
    this.#supervise(keepInventory(cache, scope, this.#metrics, this.#clock, this.#background.signal));
    await this.#lead(leadership, client, cache, scope, podNamespace ?? '');
  }

  /** Stops everything that still runs, in an order that lets running calls finish. */
  async close(): Promise<void> {
    this.#background.abort(new Error('the manager stops'));
    const isPod = this.#start.environment['KUBERNETES_SERVICE_HOST'] !== undefined;
    const lameDuckEnd = this.#stoppedAt + lameDuckMs - this.#clock.now();
    if (this.#webhooks !== undefined && isPod && this.#start.signal.aborted && lameDuckEnd > 0)
      await sleep(this.#clock, lameDuckEnd);
    await this.#webhooks?.close();
    await Promise.all(this.#servers.map((server) => server.close()));
    await Promise.all(this.#running);
    await this.#transport?.close();
  }

  /** Rejects when the stop takes too long. */
  async stopLimit(): Promise<never> {
    await aborted(this.#start.signal);
    await sleep(this.#clock, stopMs);
    throw new Error(`failed to stop within ${stopMs / 1000} s`);
  }

  /** Stops everything that still runs, without waiting. */
  drop(): void {
    this.#background.abort(new Error('the manager ended'));
    for (const server of [...this.#servers, ...(this.#webhooks === undefined ? [] : [this.#webhooks])]) void server.close();
    void this.#transport?.close();
  }

  // Rejects when leadership is lost or a controller fails; running passes can then send no more writes.
  async #lead(leadership: Leadership, client: ApiClient, cache: Cache, scope: Scope, operatorNamespace: string): Promise<void> {
    const { controllers, signal } = this.#start;
    const holding = new AbortController();
    const working = new AbortController();
    setMaxListeners(0, holding.signal, working.signal);
    const stop = (): void => working.abort(abortReason(signal));
    try {
      await leadership.acquire(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      await leadership.release();
      return;
    }
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const held = leadership.hold(holding.signal);
    const guarded = client.with({ beforeWrite: leadership.assertHeld });
    const events = new EventWriter({ client: guarded, clock: this.#clock, log: this.#start.log.named('events') });
    const context = { ...this.#controllerContext(guarded, cache, scope, events), operatorNamespace };
    const work = Promise.all(controllers.map((controller) => this.#runController(controller, context, working.signal)));
    const drained = Promise.all([work, aborted(signal)]).then(() => events.flush());
    try {
      await Promise.race([drained, held, this.#drainLimit(signal)]);
    } catch (error) {
      working.abort(error);
      throw error;
    }
    holding.abort(new Error('the manager stops'));
    await held;
    await leadership.release();
  }

  async #runController(controller: Controller, context: ControllerContext, signal: AbortSignal): Promise<void> {
    const log = this.#start.log.with({
      controller: controller.name,
      controllerGroup: 'nvidia.com',
      controllerKind: controller.name,
    });
    log.info('Starting EventSource', { source: `kind source: *v1alpha1.${controller.name}` });
    log.info('Starting Controller');
    try {
      await controller.start({ ...context, log }, signal);
    } catch (error) {
      if (error instanceof NotLeadingError) throw error;
      if (!signal.aborted) throw new Error(`controller ${controller.name} ended`, { cause: error });
    }
    log.info('All workers finished');
  }

  #controllerContext(
    client: ApiClient,
    cache: Cache,
    scope: Scope,
    events: EventWriter,
  ): Omit<ControllerContext, 'operatorNamespace'> {
    const { options, log } = this.#start;
    const [clock, metrics] = [this.#clock, this.#metrics];
    return {
      options,
      client,
      cache,
      scope,
      apis: () => cache.apis ?? { groups: new Set(), serves: () => false },
      newQueue: (name) => new WorkQueue({ name, clock, metrics }),
      recorder: (component) => events.recorder(component),
      log,
      metrics,
      clock,
    };
  }

  async #startProbes(): Promise<RunningServer | undefined> {
    const { options, log, signal } = this.#start;
    const readiness = {
      readyz: () => (signal.aborted ? 'the process is stopping' : undefined),
      caches: () => this.#cacheProblem(),
      ...(options.webhooks.enabled
        ? { 'webhook-certificate': () => (this.#webhooks === undefined ? 'no certificate is loaded yet' : undefined) }
        : {}),
    };
    const server = createProbeServer({ healthz: () => undefined }, readiness, log);
    const running = await startServer(server, options.probeAddress);
    if (running !== undefined) this.#servers.push(running);
    return running;
  }

  #cacheProblem(): string | undefined {
    if (this.#cache === undefined) return 'the API server has not been reached yet';
    const problems = this.#cache.problems();
    return problems.length === 0 ? undefined : problems.join('; ');
  }

  async #startWebhooks(client: ApiClient, cache: Cache, scope: Scope, namespace: string): Promise<void> {
    const { options, log, place = {}, signal } = this.#start;
    if (!options.webhooks.enabled) {
      this.#setup.info('Webhooks are disabled - validation happens in the controllers');
      return;
    }
    this.#setup.info('Webhooks are enabled - validation happens at admission, and again in the controllers');
    this.#webhooks = await runWebhooks(
      {
        webhooks: options.webhooks,
        http2: options.http2,
        client,
        namespace,
        context: () => ({
          apiGroups: cache.apis?.groups,
          excludedNamespaces: scope.excluded(),
          restrictedNamespace: options.restrictedNamespace,
        }),
        clock: this.#clock,
        metrics: this.#metrics,
        log,
        port: place.webhookPort ?? 9443,
        folder: place.webhookCertificates ?? '/tmp/k8s-webhook-server/serving-certs',
        timing: place.certificateTiming,
      },
      signal,
    );
    this.#supervise(this.#webhooks.follow(this.#background.signal));
    this.#setup.info('Validation webhooks registered successfully');
  }

  #scope(client: ApiClient, cache: Cache): Scope {
    const { options, log } = this.#start;
    if (options.restrictedNamespace !== '') return restrictedScope(options.restrictedNamespace);
    const watcherLog = log.with({ component: 'namespace-scope-lease-watcher' });
    const exclusions = new Exclusions({ clock: this.#clock, log: watcherLog, read: scopeLeaseReader(client) });
    return clusterScope(cache, exclusions, watcherLog);
  }

  #electionNamespace(podNamespace: string | undefined): string {
    const { election } = this.#start.options;
    const namespace = election.namespace || podNamespace;
    if (namespace !== undefined) return namespace;
    if (!election.enabled) return '';
    throw new StartError({
      message: 'unable to start manager',
      cause:
        'unable to find leader election namespace: not running in-cluster, please specify LeaderElectionNamespace (--leader-election-namespace)',
    });
  }

  #announce(): void {
    const { options } = this.#start;
    const { restrictedNamespace: namespace, config } = options;
    this.#setup.info('Discovery backend configured', { backend: config.discoveryBackend });
    if (namespace === '') this.#setup.info('No restricted namespace configured, launching in cluster-wide mode');
    else this.#setup.info('Restricted namespace configured, launching in restricted mode', { namespace });
    for (const flag of options.ignored) this.#setup.info('Flag has no effect', { flag });
  }

  async #drainLimit(signal: AbortSignal): Promise<never> {
    await aborted(signal);
    await sleep(this.#clock, drainMs);
    throw new Error(`failed waiting for all controllers to end within ${drainMs / 1000} s`);
  }

  #supervise(work: Promise<void>): void {
    this.#running.push(work.catch((error: unknown) => this.#setup.error('background work ended', error)));
  }
}
