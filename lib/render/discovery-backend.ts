import { annotation } from './label-keys.ts';

/** The discovery backend that applies: what an annotation says, even if empty, else the operator's. */
export function discoveryBackend(annotations: Readonly<Record<string, string>> | undefined, operatorBackend: string): string {
  return annotations?.[annotation.discoveryBackend] ?? operatorBackend;
}
