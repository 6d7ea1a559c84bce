import type { Restart } from '../api/index.ts';

/** The order of services in a sequential restart: `strategy.order`, or the given order, which is byte order. */
export function restartOrder(restart: Restart | undefined, services: readonly string[]): readonly string[] {
  const order = restart?.strategy?.order ?? [];
  return order.length > 0 ? order : services;
}
