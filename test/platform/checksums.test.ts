import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/api/json.ts';
import { at } from '../../lib/platform/go-values.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { recordings } from './recorded.ts';

function natsChecksums(objects: readonly JsonObject[]): Readonly<Record<string, unknown>> {
  const sums = objects.map((object) => [
    at(object, 'metadata.name'),
    at(object, 'spec', 'template', 'metadata', 'annotations', 'checksum/config'),
  ]);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== undefined));
}

test('the checksum of the NATS configuration is the one Helm takes, so that adopting a release restarts no server', () => {
  const cases = recordings().filter(({ ok }) => ok);
  let compared = 0;
  for (const { id, values, release, namespace, apiVersions, kubeVersion, objects = [] } of cases) {
    const rendered = renderPlatform(values, { release, namespace, apiVersions, kubeVersion, profile: 'parity' });
    const recorded = natsChecksums(objects);
    expect(natsChecksums(rendered.objects), id).toEqual(recorded);
    compared += Object.keys(recorded).length;
  }
  expect(compared).toBeGreaterThan(30);
});
