import { describe, expect, test } from 'vitest';
import { droppedFields, fieldHistory, laterFields, presenceIn, publishedIn, spansByName } from '../../lib/api/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';

/** Names by when they came and went: `gone` was last in 0.5.1, `back` is missing from 0.6.0 and 0.6.1. */
const spans = spansByName({
  '0.4.1': 'old older',
  '0.4.0..0.5.1': 'gone',
  '0.4.0!0.6.0,0.6.1': 'back',
  '0.9-main': 'main',
  '1.1.1': 'new',
});

function presence(name: string, release: string): string {
  const span = spans.get(name);
  if (span === undefined) throw new Error(name);
  const found = presenceIn(span, release);
  return found.is === 'there' ? 'there' : found.is === 'later' ? `since ${found.came}` : `gone in ${found.gone}`;
}

function isPublished(name: string, release: string): boolean {
  const span = spans.get(name);
  if (span === undefined) throw new Error(name);
  return publishedIn(span, release);
}

describe('whether a release has a name', () => {
  test.each([
    ['old', '0.4.0', 'since 0.4.1'],
    ['old', '0.4.1', 'there'],
    ['older', '1.4.1', 'there'],
    ['gone', '0.5.1', 'there'],
    ['gone', '0.6.0', 'gone in 0.6.0'],
    ['gone', '1.4.1', 'gone in 0.6.0'],
    ['back', '0.5.1', 'there'],
    ['back', '0.6.0', 'since 0.7.0'],
    ['back', '0.6.1', 'since 0.7.0'],
    ['back', '0.7.0', 'there'],
    ['new', '1.0.2', 'since 1.1.1'],
    ['new', '1.1.1', 'there'],
    ['main', '0.8.1', 'since 1.0.0'],
    ['main', '1.0.0', 'there'],
  ])('%s in %s: %s', (name, release, wanted) => expect(presence(name, release)).toBe(wanted));

  test('of 0.9, whatever its patch, is that of the state which is rendered', () => {
    for (const release of ['0.9', '0.9.0', '0.9.1', '0.9.7']) expect(presence('main', release)).toBe('there');
  });

  test('of a release that is not listed is that of the next patch of the same minor, else of the last before it', () => {
    // 1.1.0 is not listed, 1.1.1 is.
    expect(presence('new', '1.1.0')).toBe('there');
    expect(presence('new', '1.1')).toBe('there');
    // 1.0.1 is between 1.0.0 and 1.0.2.
    expect(presence('new', '1.0.1')).toBe('since 1.1.1');
    // beyond the last patch of a minor release, beyond the last release, and before the first
    expect(presence('gone', '0.5.9')).toBe('there');
    expect(presence('new', '1.0.9')).toBe('since 1.1.1');
    expect(presence('new', '2.0.0')).toBe('there');
    expect(presence('old', '0.3.0')).toBe('since 0.4.1');
    expect(presence('gone', '0.3.0')).toBe('there');
  });

  test('says of images as they were published', () => {
    expect(isPublished('main', '0.9.1')).toBe(false);
    expect(isPublished('main', '1.0.0')).toBe(true);
    expect(isPublished('old', '0.9.1')).toBe(true);
    expect(isPublished('old', '0.4.0')).toBe(false);
    expect(isPublished('old', '0.4.1')).toBe(true);
    expect(isPublished('gone', '0.5.1')).toBe(true);
    expect(isPublished('gone', '0.5.9')).toBe(true);
    expect(isPublished('gone', '0.6.0')).toBe(false);
    expect(isPublished('back', '0.6.1')).toBe(false);
    expect(isPublished('back', '0.7.0')).toBe(true);
    expect(isPublished('new', '1.1.0')).toBe(false);
    expect(isPublished('new', '2.0.0')).toBe(true);
    expect(isPublished('old', '0.3.9')).toBe(false);
  });
});

describe('the history of a field', () => {
  const service = (field: string): readonly string[] => ['spec', 'services', 'Worker', field];
  const graph = 'DynamoGraphDeployment';

  test.each<[string, readonly (string | number)[], string | undefined, string]>([
    [graph, service('pvc'), undefined, 'removed in 0.6.0; declare the claim in spec.pvcs and mount it with volumeMounts'],
    [graph, service('pvc'), '0.5.1', 'there'],
    [graph, ['spec', 'dynamoGraph'], undefined, 'removed in 0.6.1; list the components in spec.services'],
    ['DynamoComponentDeployment', ['spec', 'dynamoTag'], undefined, 'removed in 0.6.1'],
    [graph, service('subComponentType'), '0.5.1', 'added in 0.6.0, release 0.5.1 drops it'],
    [graph, service('eppConfig'), '0.8.0', 'added in 1.0.0, release 0.8.0 drops it'],
    [graph, service('eppConfig'), undefined, 'there'],
    [graph, [...service('resources'), 'limits', 'gpuType'], '0.7.1', 'added in 0.8.0, release 0.7.1 drops it'],
    [graph, ['spec', 'topologyConstraint'], undefined, 'added in 1.1.1, release 0.9 drops it'],
    ['DynamoGraphDeploymentRequest', ['spec', 'useMocker'], '0.7.0', 'added in 0.8.0, release 0.7.0 drops it'],
    [graph, service('odd'), undefined, 'unknown'],
    [graph, ['metadata', 'restart'], undefined, 'unknown'],
    [graph, ['spec', 'toString'], undefined, 'unknown'],
    ['DynamoModel', ['spec', 'restart'], undefined, 'unknown'],
  ])('%s %j in %s: %s', (kind, path, release, wanted) => {
    const history = fieldHistory(kind, path, release);
    expect(history.is === 'dropped' ? history.message : history.is).toBe(wanted);
  });

  test('of all that an object has', () => {
    const object: JsonObject = {
      spec: { restart: {}, services: { A: { modelRef: {}, replicas: 1 }, B: { modelRef: {}, pvc: {} }, C: null } },
    };
    const dropped = (kind: string, release: string) =>
      droppedFields(kind, object, release).map(({ path, message }) => `${path.join('.')}: ${message}`);
    expect(dropped(graph, '0.6.1')).toEqual([
      'spec.services.B.pvc: removed in 0.6.0; declare the claim in spec.pvcs and mount it with volumeMounts',
      'spec.services.A.modelRef: added in 0.7.0, release 0.6.1 drops it',
      'spec.services.B.modelRef: added in 0.7.0, release 0.6.1 drops it',
      'spec.restart: added in 0.9.0, release 0.6.1 drops it',
    ]);
    expect(dropped(graph, '0.5.1')).toHaveLength(3);
    expect(dropped('DynamoModel', '0.5.1')).toEqual([]);
  });

  test('of what a published operator does not have, although this package renders it', () => {
    const spec = { eppConfig: {}, modelRef: {}, componentType: 'epp', pvc: {}, failover: {} };
    const later = (value: Parameters<typeof laterFields>[0], release: string) =>
      laterFields(value, release).map(({ path, what }) => `${path.join('.')}: ${what}`);
    const one = { kind: graph, spec: { services: { A: spec, B: { componentType: 'worker' } } } };
    expect(later(one, '0.9.1')).toEqual([
      'spec.services.A.eppConfig: the field eppConfig',
      'spec.services.A.componentType: the component type epp',
    ]);
    expect(later(one, '0.6.1')).toEqual([
      'spec.services.A.modelRef: the field modelRef',
      'spec.services.A.eppConfig: the field eppConfig',
      'spec.services.A.componentType: the component type epp',
    ]);
    expect(later(one, '1.0.0')).toEqual([]);
    expect(later({ kind: 'DynamoComponentDeployment', spec }, '0.9.1')).toEqual([
      'spec.eppConfig: the field eppConfig',
      'spec.componentType: the component type epp',
    ]);
    expect(later({ kind: graph, spec: { services: { A: { eppConfig: null } } } }, '0.9.1')).toEqual([]);
    expect(later('text', '0.9.1')).toEqual([]);
  });
});
