import { annotation } from './label-keys.ts';

/** The discovery backend of a resource: the value of its annotation, even an empty one, or the default of the operator. */
export function discoveryBackend(annotations: Readonly<Record<string, string>> | undefined, operatorBackend: string): string {
  return annotations?.[annotation.discoveryBackend] ?? operatorBackend;
}
