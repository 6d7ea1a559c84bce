import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { lintResource, lintRules, buildLintIndex, type Finding, type LintContext } from '../../lib/lint/index.ts';
import { rules } from '../../lib/lint/registry.ts';

function lintAll(resources: readonly JsonObject[], context: LintContext = {}): readonly Finding[] {
  const around = buildLintIndex({ ...context, resources });
  return resources.flatMap((resource) => lintResource(resource, around).findings);
}

/** Takes out members that are undefined, as a serialiser would. */
function plain(resources: readonly JsonObject[]): readonly JsonObject[] {
  return JSON.parse(JSON.stringify(resources)) as JsonObject[];
}

describe.each(rules.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  test('fires on its bad example', () => {
    const found = lintAll(plain(rule.example?.().bad ?? []), rule.example?.().context);
    expect(found.map((f) => f.id)).toContain(id);
  });

  test('is silent on its good example, where nothing is an error', () => {
    const found = lintAll(plain(rule.example?.().good ?? []), rule.example?.().context);
    expect(found.filter((f) => f.id === id || f.severity === 'error')).toEqual([]);
  });

  test('words its messages for the person who wrote the manifest', () => {
    for (const { message, path } of lintAll(plain(rule.example?.().bad ?? []), rule.example?.().context)) {
      expect(message).toMatch(/^(?:[a-z-]|\$|--|[A-Z]{2,}|[A-Z][A-Za-z]+ )/);
      expect(message).not.toMatch(/\.$/);
      expect(message).toContain('; ');
      expect(path.length).toBeGreaterThan(0);
    }
  });
});

test('every entry of the registry says what, why, what is allowed and what to do', () => {
  expect(new Set(lintRules.map((entry) => entry.id)).size).toBe(lintRules.length);
  for (const entry of lintRules) {
    expect(entry.id).toMatch(/^DYN-[A-Z]+-\d{3}$/);
    expect(entry.title).toMatch(/^[a-zA-Z].*[^.]$/);
    for (const text of [entry.why, entry.allowed, entry.fix]) expect(text.length).toBeGreaterThan(10);
    for (const covered of entry.covers ?? []) expect(lintRules.map((e) => e.id)).toContain(covered);
  }
});

test('never changes what it looks at', () => {
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  };
  for (const rule of rules) {
    const resources = plain([...(rule.example?.().bad ?? []), ...(rule.example?.().good ?? [])]);
    freeze(resources);
    expect(() => lintAll(resources, rule.example?.().context)).not.toThrow();
  }
});

test('examples are built only when they are asked for', () => {
  for (const { id, example } of lintRules)
    expect([id, typeof example]).toEqual([id, example === undefined ? 'undefined' : 'function']);
});
