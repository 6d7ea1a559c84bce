import { expect, test } from 'vitest';
import { atPath } from '../../../lib/platform/go-values.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

test('the security context of KAI goes to its configuration and to what the chart runs, not to its operator', () => {
  const values = { 'kai-scheduler': { enabled: true, global: { securityContext: { runAsUser: 7 } } } };
  const { objects } = renderPlatform(values, { profile: 'parity' });
  expect(
    atPath(
      objects.find((o) => o.kind === 'Config'),
      'spec.global.securityContext',
    ),
  ).toEqual({ runAsUser: 7 });
  const withIt = objects
    .filter(
      (o) => (o.kind === 'Deployment' || o.kind === 'Job') && JSON.stringify(o).includes('"securityContext":{"runAsUser":7}'),
    )
    .map((o) => o.metadata.name);
  expect(withIt.toSorted()).toEqual(['binder', 'crd-upgrader', 'scheduler']);
});
