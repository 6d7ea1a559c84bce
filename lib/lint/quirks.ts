import type { FiredQuirk } from '../render/result.ts';
import type { Finding } from './finding.ts';
import type { RuleText } from './rule.ts';

/** What the renderer's quirks say in the registry. */
export const quirkTexts: readonly RuleText[] = [];

/** Fired quirks as findings. */
export function quirkFindings(fired: readonly FiredQuirk[]): readonly Finding[] {
  return fired.map((quirk) => ({ id: quirk.id, severity: 'warning', path: quirk.path, message: quirk.message }));
}
