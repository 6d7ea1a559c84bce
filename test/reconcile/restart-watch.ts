import type { View } from './restart-model.ts';

/** A request for a restart, as its graph states it. */
interface Request {
  readonly id: string;
  readonly sequential: boolean;
  /** Services in the order they are restarted in, where the user gave one. */
  readonly order: readonly string[];
}

/**
 * Watches a graph from step to step and tells what no restart may do: restart a service more often than its id was asked for, restart one
 * while another of the same restart has not been ready again, say that it is complete before every service was restarted.
 */
export class RestartWatch {
  /** How often each id was asked for. */
  readonly #asked = new Map<string, number>();
  /** How often a service has taken each token. */
  readonly #taken = new Map<string, number>();
  /** Services that took the token of a request and have not been ready since, by that token. */
  readonly #rolling = new Map<string, Set<string>>();
  /** Ids asked for in more than one way, so that nothing is known of their order: some operator may still go by the old one. */
  readonly #mixed = new Set<string>();
  /** How each id was asked for last. */
  readonly #how = new Map<string, Request>();
  #current = '';

  /** The user asks for a restart, asks otherwise for one the operator knows of, or takes the request back. */
  request(request: Request | undefined, { observedID }: View): void {
    const id = request?.id ?? '';
    const isRepeated = id === this.#current;
    this.#current = id;
    if (request === undefined) return;
    const before = this.#how.get(id);
    this.#how.set(id, request);
    if (!isRepeated) this.#asked.set(id, (this.#asked.get(id) ?? 0) + 1);
    if (observedID !== id) this.#rolling.delete(id);
    if (before === undefined) return;
    if (before.sequential !== request.sequential || before.order.join() !== request.order.join()) this.#mixed.add(id);
  }

  /** What is wrong with a step; nothing where it is lawful. */
  step(before: View, after: View): string | undefined {
    const moved = Object.entries(after.services).filter(
      ([name, { token }]) => before.services[name] !== undefined && before.services[name].token !== token,
    );
    const wrong =
      moved
        .map(([name, { token }]) => this.#move(name, token, before.services[name]?.token ?? ''))
        .find((text) => text !== undefined) ?? this.#status(before, after);
    for (const [token, rolling] of this.#rolling)
      for (const name of rolling) {
        const progress = after.services[name];
        if (progress === undefined || progress.token !== token || progress.done) rolling.delete(name);
      }
    return wrong;
  }

  #move(name: string, token: string, from: string): string | undefined {
    if (token === '') return `${name} loses its token ${from}, which restarts it`;
    const place = `${name} ${token}`;
    const count = (this.#taken.get(place) ?? 0) + 1;
    this.#taken.set(place, count);
    if (count > (this.#asked.get(token) ?? 0)) return `${name} is restarted ${count} times for ${token}`;
    const rolling = this.#rolling.get(token) ?? new Set();
    this.#rolling.set(token, rolling);
    const open = [...rolling];
    rolling.add(name);
    const inOrder = this.#current === token && this.#how.get(token)?.sequential === true && !this.#mixed.has(token);
    return inOrder && open.length > 0 ? `${name} is restarted before ${open.join(', ')} is ready again` : undefined;
  }

  #status(before: View, after: View): string | undefined {
    const id = after.observedID;
    const isCurrent = this.#current === id && !this.#mixed.has(id);
    if (isCurrent && this.#how.get(id)?.sequential === true && after.inProgress.length > 1)
      return `${after.inProgress.join(', ')} are in progress at once`;
    const completes = after.phase === 'Completed' && (before.phase !== 'Completed' || before.observedID !== id);
    if (!completes || !isCurrent) return undefined;
    const left = Object.keys(before.services).filter((name) => after.services[name] && before.services[name]?.token !== id);
    return left.length > 0 ? `complete before ${left.join(', ')} was restarted` : undefined;
  }
}
