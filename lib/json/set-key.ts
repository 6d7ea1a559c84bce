/** Sets an own property, also for the key `__proto__`, where an assignment would replace the prototype. */
export function setKey<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
