import { describe, expect, test } from 'vitest';
import { judge } from '../../lib/admission/index.ts';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';

const resource = (kind: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind,
  metadata: { name: 'a', namespace: 'n', ...metadata },
  spec,
});

/** Paths that the schema refuses in an update. */
const refused = (oldObject: JsonObject, object: JsonObject): readonly string[] =>
  judge({ object, oldObject }, {}).schema.map(({ path }) => formatPath(path));

// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting
describe('an update of an object that the schema refuses by now', () => {
  const model = (spec: JsonObject, labels: JsonObject = {}): JsonObject =>
    resource('DynamoModel', { baseModelName: 'm', ...spec }, { labels });

  test('may leave a missing field out where nothing beside it changes', () => {
    expect(refused(model({}), model({}, { team: 'a' }))).toEqual([]);
    expect(refused(model({}), model({ baseModelName: 'other' }))).toEqual(['spec.modelName']);
  });

  test('may keep a value that is not allowed, and not change it to another', () => {
    const old = model({ modelName: 'm', modelType: 'x' });
    expect(refused(old, model({ modelName: 'other', modelType: 'x' }))).toEqual([]);
    expect(refused(old, model({ modelName: 'm', modelType: 'y' }))).toEqual(['spec.modelType']);
  });

  test('must have sound metadata, changed or not', () => {
    const labelled = model({ modelName: 'm' }, { 'no key': 'x' });
    expect(refused(labelled, labelled)).toEqual(['metadata.labels']);
  });
});

describe('what the operator cannot decode', () => {
  const component = (size: string): JsonObject =>
    resource('DynamoComponentDeployment', { componentType: 'worker', sharedMemory: { size } });
  const undecodable = (before: string, after: string): readonly string[] =>
    judge({ object: component(after), oldObject: component(before) }, {}).undecodable.map(
      ({ message }) => /got (.*)$/.exec(message)?.[1] ?? '',
    );

  test('is told of an object and of the one it replaces, once where they are alike', () => {
    expect(undecodable('1e1.5', '1e2.5')).toEqual(['"1e2.5"', '"1e1.5"']);
    expect(undecodable('1e1.5', '1e1.5')).toHaveLength(1);
    expect(undecodable('1e1.5', '1Gi')).toHaveLength(1);
  });
});
