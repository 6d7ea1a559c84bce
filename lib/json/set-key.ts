/** Sets an own data property; `__proto__` too becomes plain data and touches no prototype. */
export function setKey<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
