import { describe, expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { applySet } from '../../lib/platform/set-values.ts';

function set(...options: readonly string[]): JsonObject {
  return options.reduce<JsonObject>((values, text) => applySet(values, { kind: 'set', text }), {});
}

const manager = 'dynamo-operator.controllerManager.manager.image';

describe('an image that no node can pull', () => {
  test.each([
    [`${manager}.tag`, ['=sha256:abc'], ':sha256:abc"'],
    [`${manager}.repository`, ['=https://r.io/op'], 'must not start with a URL scheme'],
    ['platform.operator.image', ['=my op', 'platform.operator.kind=dynamo-cdk8s'], 'must not contain a space'],
    ['global.imageRegistry', ['=https://r.io'], 'must not start with a URL scheme'],
    ['nats.container.image.tag', ['=2.1:x'], "must not have a second ':'"],
    ['etcd.image.digest', ['=sha256:abc', 'etcd.enabled=true'], "must have a digest after its '@'"],
    ['dynamo-operator.dynamo.internalImages.debugger', ['=Python:3'], 'must not have upper-case letters'],
    ['grove.image.repository', ['=r.io//grove', 'grove.enabled=true'], "before and after each '/'"],
    ['kai-scheduler.global.registry', ['=r.io/Kai', 'kai-scheduler.enabled=true'], 'must not have upper-case letters'],
  ])('is told of %s', (path, [value = '', ...beside], reason) => {
    const { issues, objects } = renderPlatform(set(...beside, `${path}${value}`));
    expect(objects).toEqual([]);
    expect(issues.map((issue) => formatPath(issue.path))).toEqual([path]);
    expect(issues[0]).toMatchObject({ code: 'malformed_image', message: expect.stringContaining(reason) });
    expect(issues[0]?.message).toMatch(/^no node can pull the image of \w+ .*; write REGISTRY\/REPOSITORY:TAG$/);
  });

  test('is rendered as the original renders it in the profile parity, with a warning', () => {
    const { issues, warnings } = renderPlatform(set('nats.container.image.tag=2.1:x'), { profile: 'parity' });
    expect(issues).toEqual([]);
    expect(warnings).toContainEqual(
      expect.objectContaining({ path: ['nats', 'container', 'image', 'tag'], code: 'malformed_image' }),
    );
  });
});
