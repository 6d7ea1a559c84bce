import type { Restart } from '../api/index.ts';

/** In which order a sequential restart takes the services of a graph: as the request says, else as given, which is in byte order. */
export function restartOrder(restart: Restart | undefined, services: readonly string[]): readonly string[] {
  const order = restart?.strategy?.order ?? [];
  return order.length > 0 ? order : services;
}
