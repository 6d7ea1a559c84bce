/** Installs and removes CRDs, and waits until the API server serves them or has forgotten them. */
import { setTimeout } from 'node:timers/promises';
import { type ApiResponse, type Client, type KubernetesObject, succeeded } from './client.ts';
import type { WholeObject } from './rest-paths.ts';

interface Crd extends KubernetesObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
  };
}

const patienceMs = 300_000;

/** Installs CRDs and waits until objects of their kinds can be created. */
export async function installCrds(client: Client, crds: readonly WholeObject[]): Promise<void> {
  for (const crd of crds) succeeded(await client.apply(crd));
  for (const crd of crds) {
    const established = await until(
      () => client.get<Crd>(crd),
      ({ body }) => (body.status?.conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True'),
      ({ body }) => `${crd.metadata.name}: not established, ${JSON.stringify(body.status?.conditions ?? [])}`,
    );
    // The handlers of a new kind come up a moment after the condition says so.
    for (const path of collectionPaths(established.body)) {
      await until(
        () => client.request('GET', path, { query: { limit: '1' } }),
        ({ status }) => status === 200,
        ({ status }) => `${path}: still answers ${status}`,
      );
    }
  }
}

/** Removes CRDs, with all objects of their kinds, and waits until their API is gone. */
export async function removeCrds(client: Client, crds: readonly WholeObject[]): Promise<void> {
  const paths: string[] = [];
  for (const crd of crds) {
    const existing = await client.get<Crd>(crd);
    if (existing.status === 404) continue;
    paths.push(...collectionPaths(succeeded(existing)));
    succeeded(await client.delete(crd));
  }
  for (const crd of crds) {
    await until(
      () => client.get(crd),
      ({ status }) => status === 404,
      () => `${crd.metadata.name}: still there, a finalizer may hold one of its objects`,
    );
  }
  for (const path of paths) {
    await until(
      () => client.request('GET', path),
      ({ status }) => status === 404,
      ({ status }) => `${path}: still answers ${status}`,
    );
  }
}

/** API groups the server offers, as discovery lists them. */
export async function apiGroups(client: Client): Promise<readonly string[]> {
  const list = await client.request<{ readonly groups: readonly { readonly name: string }[] }>('GET', '/apis');
  return succeeded(list).groups.map(({ name }) => name);
}

/** Waits until the groups the server offers are as wanted; discovery follows CRDs after a moment. */
export async function untilApiGroups(client: Client, areWanted: (groups: readonly string[]) => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const groups = await apiGroups(client);
    if (areWanted(groups)) return;
    if (Date.now() > deadline) throw new Error(`the API server still offers the groups ${groups.join(', ')}`);
    await setTimeout(20);
  }
}

function collectionPaths({ spec }: Crd): readonly string[] {
  return spec.versions.filter(({ served }) => served).map(({ name }) => `/apis/${spec.group}/${name}/${spec.names.plural}`);
}

async function until<T>(
  ask: () => Promise<ApiResponse<T>>,
  isDone: (answer: ApiResponse<T>) => boolean,
  complain: (answer: ApiResponse<T>) => string,
): Promise<ApiResponse<T>> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`${complain(answer)} (waited ${patienceMs / 1000} s)`);
    await setTimeout(20);
  }
}
