import { expect, test } from 'vitest';
import { locate, locateFindings, orchestratorGroups, orchestratorOf, sourceFinding } from '../../lib/check/index.ts';
import type { DocumentFinding } from '../../lib/check/index.ts';
import type { Path } from '../../lib/json/index.ts';

const source = { file: 'g.yaml', position: (path: Path) => ({ line: path.length, column: 7 }) };
const finding: DocumentFinding = {
  stage: 'lint',
  severity: 'warning',
  id: 'DYN-X-001',
  path: ['spec', 'services', 'A', 'envs', 0],
  message: 'm',
};
const located = {
  file: 'g.yaml',
  line: 5,
  column: 7,
  stage: 'lint',
  severity: 'warning',
  id: 'DYN-X-001',
  path: 'spec.services.A.envs[0]',
  message: 'm',
};

test('a finding stands at the line of its field, with the object it is about', () => {
  const identity = { kind: 'K', namespace: 'n', name: 'g' };
  expect(locate(source, finding, identity)).toEqual({ ...located, object: identity });
  expect(locate(source, finding)).toEqual(located);
  expect(locate(source, finding)).not.toHaveProperty('object');
  expect(locate(source, finding, { ...identity, kind: '' })).not.toHaveProperty('object');
  expect(locateFindings([{ source, identity, findings: [finding, finding] }])).toEqual([
    { ...located, object: identity },
    { ...located, object: identity },
  ]);
});

test.each([
  ['empty', 'warning'],
  ['not_a_list', 'warning'],
  ['syntax', 'error'],
  ['duplicate_key', 'error'],
] as const)('text that is %s is worth a %s', (code, severity) => {
  const issue = { file: 'f', line: 1, column: 2, code, message: 'm' };
  expect(sourceFinding(issue as Parameters<typeof sourceFinding>[0])).toEqual({
    stage: 'source',
    file: 'f',
    line: 1,
    column: 2,
    severity,
    id: code,
    path: '',
    message: 'm',
  });
});

test('API groups stand for the orchestrator that the operator uses with them', () => {
  for (const [name, groups] of Object.entries(orchestratorGroups)) expect(orchestratorOf(new Set(groups))).toBe(name);
  // The operator needs both for LeaderWorkerSets, and takes Grove first where there is everything.
  expect(orchestratorOf(new Set(['leaderworkerset.x-k8s.io']))).toBe('none');
  expect(orchestratorOf(new Set(['scheduling.volcano.sh']))).toBe('none');
  expect(orchestratorOf(new Set(['scheduling.run.ai']))).toBe('none');
  expect(orchestratorOf(new Set(Object.values(orchestratorGroups).flat()))).toBe('grove+kai');
});
