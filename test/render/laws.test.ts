import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, normalizeResource, type DynamoGraphDeployment, type Json } from '../../lib/api/index.ts';
import {
  canonicalText,
  renderLevels,
  renderResource,
  specHash,
  type RenderedObject,
  type RenderableResource,
} from '../../lib/render/index.ts';
import { resources } from '../api/resource-arbitrary.ts';
import { contexts, contextWith, graphs } from './graph-arbitrary.ts';
import { ownRecordings, readRecordings, renderRecording } from './recordings.ts';

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}

function shuffled<T>(value: T, next: () => number): T {
  if (Array.isArray(value)) return value.map((item: unknown) => shuffled(item, next)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]: [string, unknown]) => [key, shuffled(member, next)] as const);
  return Object.fromEntries(
    entries
      .map((entry) => ({ entry, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry),
  ) as T;
}

const ofService = (objects: readonly RenderedObject[], service: string): string =>
  JSON.stringify(objects.filter(({ origin }) => origin[2] === service).map(({ object }) => object));

test('the same input gives the same bytes and is never changed', () => {
  fc.assert(
    fc.property(graphs, contexts, (graph, context) => {
      const before = JSON.stringify(graph);
      freeze(graph);
      const first = JSON.stringify(renderResource(graph, context));
      expect(JSON.stringify(renderResource(graph, context))).toBe(first);
      expect(JSON.stringify(graph)).toBe(before);
    }),
    { numRuns: 50 },
  );
});

test('the order of keys and of services does not change a byte', () => {
  fc.assert(
    fc.property(graphs, contexts, fc.infiniteStream(fc.double({ noNaN: true })), (graph, context, numbers) => {
      const next = (): number => Number(numbers.next().value);
      const bytes = (resource: DynamoGraphDeployment): string =>
        JSON.stringify(renderLevels(resource, context).objects.map(({ object }) => object));
      expect(bytes(shuffled(graph, next))).toBe(bytes(graph));
    }),
    { numRuns: 50 },
  );
});

test("a service's objects do not depend on unrelated services", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const context = contextWith('leaderworkerset.x-k8s.io', 'scheduling.volcano.sh');
      const services = graph.spec?.services ?? {};
      const [service = '', component = {}] = Object.entries(services)[0] ?? [];
      const other = { componentType: 'default', replicas: 3, extraPodSpec: { mainContainer: { image: 'x' } } };
      // A restart order covers all services, and the first component to serve a model owns its Service.
      const { restart: _restart, ...spec } = graph.spec ?? {};
      const alone = { ...graph, spec: { ...spec, services: { [service]: component } } };
      const accompanied = { ...graph, spec: { ...spec, services: { [service]: component, zz: other } } };
      expect(ofService(renderLevels(accompanied, context).objects, service)).toBe(
        ofService(renderLevels(alone, context).objects, service),
      );
    }),
    { numRuns: 50 },
  );
});

test('whatever the API server stores can be rendered without a throw', () => {
  fc.assert(
    fc.property(resources, contexts, (value, context) => {
      const { kind, value: stored, issues } = normalizeResource(value);
      const renderable =
        kind === 'DynamoGraphDeployment' || kind === 'DynamoComponentDeployment' || kind === 'DynamoGraphDeploymentRequest';
      fc.pre(renderable && issues.length === 0);
      freeze(stored);
      renderResource(stored as unknown as RenderableResource, context);
    }),
    { numRuns: 150 },
  );
});

test('rendered objects are fresh: nothing is shared with the input or between objects, nothing is null or undefined', () => {
  fc.assert(
    fc.property(graphs, contexts, (graph, context) => {
      const seen = new Set<unknown>();
      const wrong: string[] = [];
      const visit = (value: unknown, where: string): void => {
        if (value === null || value === undefined || seen.has(value)) wrong.push(where);
        if (typeof value !== 'object' || value === null) return;
        seen.add(value);
        for (const [key, member] of Object.entries(value)) visit(member, `${where}.${key}`);
      };
      visit(graph, 'input');
      for (const { object } of renderLevels(graph, context).objects) visit(object, `${object.kind}/${object.metadata.name}`);
      expect(wrong).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('every object says where it comes from and who owns it', () => {
  fc.assert(
    fc.property(graphs, contexts, (graph, context) => {
      const { objects } = renderLevels(graph, context);
      const known = new Set([
        'DynamoGraphDeployment/g',
        ...objects.map(({ object }) => `${object.kind}/${object.metadata.name}`),
      ]);
      for (const { object, owner, source, origin } of objects) {
        expect(source).toBe(graph);
        expect(['metadata', 'spec']).toContain(origin[0]);
        expect(object.metadata.namespace).toBe('ns');
        expect(object.metadata.ownerReferences?.map(({ kind, name }) => ({ kind, name }))).toEqual(
          owner && [{ kind: owner.kind, name: owner.name }],
        );
        if (owner) expect(known).toContain(`${owner.kind}/${owner.name}`);
      }
    }),
    { numRuns: 30 },
  );
});

test('hashes do not depend on the order of keys or of named lists', () => {
  const reversed = (value: Json): Json => {
    if (Array.isArray(value)) {
      const items = value.map((item: Json) => reversed(item));
      const named = value.every((item: Json) => isObject(item) && typeof item['name'] === 'string');
      const distinct = new Set(value.map((item: Json) => (isObject(item) ? item['name'] : item))).size === value.length;
      return named && distinct ? items.toReversed() : items;
    }
    return isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([key, member]) => [key, reversed(member ?? null)]),
        )
      : value;
  };
  for (const [, recording] of readRecordings(ownRecordings).slice(0, 30)) {
    for (const { object } of renderRecording(recording).objects) {
      const spec = object['spec'];
      if (spec === undefined) continue;
      expect(canonicalText(reversed(spec))).toBe(canonicalText(spec));
      expect(specHash(spec)).toMatch(/^[0-9a-f]{64}$/);
    }
  }
});
