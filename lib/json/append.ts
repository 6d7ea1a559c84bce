/** Appends items to a list. `list.push(...items)` passes every item as an argument, and about 120,000 arguments overflow the stack. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
