import { expect, test } from 'vitest';
import { orchestratorGroups, orchestratorOf } from '../../lib/check/index.ts';

test.each(Object.entries(orchestratorGroups))('a cluster with the API groups of %s runs it', (name, groups) => {
  expect(orchestratorOf(new Set(groups))).toBe(name);
  expect(orchestratorOf(new Set([...groups, 'example.com']))).toBe(name);
});

test.each([['leaderworkerset.x-k8s.io'], ['scheduling.volcano.sh'], ['scheduling.run.ai']])(
  '%s alone is no orchestrator',
  (group) => {
    expect(orchestratorOf(new Set([group]))).toBe('none');
  },
);

test('Grove goes before LeaderWorkerSet', () => {
  expect(orchestratorOf(new Set([...orchestratorGroups.lws, ...orchestratorGroups.grove]))).toBe('grove');
});
