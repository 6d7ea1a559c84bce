import { describe, expect, test } from 'vitest';
import { answers, checkSelectors, isSelected } from '../../../lib/runtime/cache/coverage.ts';
import type { Select } from '../../../lib/runtime/cache/select.ts';
import type { WatchedKind } from '../../../lib/runtime/cache/watched-kind.ts';

type Narrowing = Pick<WatchedKind, 'selection' | 'keep'>;
const watch = (narrowing: Narrowing): WatchedKind => ({ apiVersion: 'v1', kind: 'Pod', ...narrowing });
const keep = (): boolean => true;
const byLabel = { selection: { labelSelector: 'app=x' } };

describe('whether a watch can answer', () => {
  const name = { namespace: 'n', name: 'a' };
  const list = (select?: Select, namespace = 'n') => ({ namespace, select });
  const labels = { labels: { app: 'x', tier: 'web' } };

  test.each<[string, Narrowing, Parameters<typeof answers>[1], ReturnType<typeof answers>]>([
    ['everything without a selector', {}, name, 'yes'],
    ['everything without a selector', {}, list(), 'yes'],
    ['for its own namespace', { selection: { namespace: 'n' } }, name, 'yes'],
    ['not for another namespace', { selection: { namespace: 'm' } }, name, 'no'],
    ['for a part of all namespaces', { selection: { namespace: 'm' } }, list(undefined, ''), 'if found'],
    ['for an object that its labels may hide', byLabel, name, 'if found'],
    ['for an object that its filter may hide', { keep }, name, 'if found'],
    ['for objects that its labels may hide', byLabel, list(), 'if found'],
    ['with the others of its kind for what somebody controls', byLabel, list({ controllerUid: 'u' }), 'together'],
    ['with the others of its kind for what somebody owns', { keep }, list({ coOwnerUid: 'u' }), 'together'],
    ['for labels that include its own', byLabel, list(labels), 'yes'],
    ['for labels that include a key it asks for', { selection: { labelSelector: 'app,tier=web' } }, list(labels), 'yes'],
    ['not surely for labels with another value', byLabel, list({ labels: { app: 'y' } }), 'if found'],
    ['not surely for labels that are fewer', byLabel, list({ labels: { tier: 'web' } }), 'if found'],
    ['not surely where it leaves out a label', { selection: { labelSelector: '!gone' } }, list(labels), 'if found'],
    [
      'with the others where it leaves out a label',
      { selection: { labelSelector: '!gone' } },
      list({ controllerUid: 'u' }),
      'together',
    ],
    ['not surely where its filter may hide one of them', { ...byLabel, keep }, list(labels), 'if found'],
    ['not surely for an index', byLabel, list({ index: 'i', value: 'v' }), 'if found'],
    ['for the object of its name', { selection: { fieldSelector: 'metadata.name=a' } }, name, 'yes'],
    ['not for an object of another name', { selection: { fieldSelector: 'metadata.name=b' } }, name, 'no'],
    ['not for objects by its name', { selection: { fieldSelector: 'metadata.name=a' } }, list(labels), 'no'],
    ['for Secrets of its type', { selection: { fieldSelector: 'type=t' } }, list({ secretType: 't' }), 'yes'],
    ['not for Secrets of another type', { selection: { fieldSelector: 'type=t' } }, list({ secretType: 's' }), 'no'],
    ['not for a name, by a type', { selection: { fieldSelector: 'type=t' } }, name, 'no'],
  ])('%s', (_, narrowing, question, coverage) => {
    expect(answers(watch(narrowing), question)).toBe(coverage);
  });
});

describe('whether an object belongs to a watch', () => {
  const metadata = { namespace: 'n', name: 'a', labels: { app: 'x', empty: '' } };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, type: 't' };

  test.each<[Narrowing, boolean]>([
    [{}, true],
    [{ selection: { namespace: 'n' } }, true],
    [{ selection: { namespace: 'm' } }, false],
    [{ selection: { labelSelector: 'app=x,empty,!other' } }, true],
    [{ selection: { labelSelector: 'app=x,other' } }, false],
    [{ selection: { labelSelector: '!app' } }, false],
    [{ selection: { fieldSelector: 'metadata.name=a,metadata.namespace=n,type=t' } }, true],
    [{ selection: { fieldSelector: 'metadata.name=a,type=s' } }, false],
    [{ selection: { fieldSelector: 'metadata.namespace=m' } }, false],
    [{ keep: ({ metadata: { name } }) => name === 'a' }, true],
    [{ keep: ({ metadata: { name } }) => name === 'b' }, false],
  ])('%o: %s', (narrowing, belongs) => {
    expect(isSelected(watch(narrowing), object)).toBe(belongs);
  });
});

test.each(['app in (x)', 'app!=x', 'app notin (x)', 'app = x', '!app=x', '!!app', '!'])(
  'refuses the label selector %j, which it cannot evaluate',
  (labelSelector) => {
    expect(() => checkSelectors(watch({ selection: { labelSelector } }))).toThrow('selectors of a watch may be key, !key');
  },
);

test.each(['metadata.name!=a', 'type='])('refuses the field selector %j, which it cannot evaluate', (fieldSelector) => {
  expect(() => checkSelectors(watch({ selection: { fieldSelector } }))).toThrow('selectors of a watch may be key, !key');
});

test('takes the selectors it can evaluate', () => {
  const taken = { labelSelector: 'app,!other,tier=', fieldSelector: 'metadata.name=a,type=b/c' };
  expect(checkSelectors(watch({ selection: taken }))).toBeUndefined();
});
