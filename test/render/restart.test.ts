import { describe, expect, test } from 'vitest';
import type { RestartStatus } from '../../lib/render/index.ts';
import { restartTokens } from '../../lib/render/restart-tokens.ts';
import { graph } from './graphs.ts';

const services = { Frontend: {}, Worker: {}, Backend: {} };
const sequential = (order?: readonly string[]): object => ({
  restart: { id: 'r2', strategy: { type: 'Sequential', ...(order && { order }) } },
});
const parallel = { restart: { id: 'r2', strategy: { type: 'Parallel' } } };

function tokens(spec: object, restart?: RestartStatus, live: Readonly<Record<string, string>> = {}): object {
  const context = restart === undefined ? undefined : { restart, restartTokens: live };
  return Object.fromEntries(restartTokens(graph(services, { spec }), context));
}

describe('a graph that is new', () => {
  test('restarts the first service in turn, or all at once', () => {
    expect(tokens(sequential())).toEqual({ Backend: 'r2' });
    expect(tokens(sequential(['Worker', 'Frontend', 'Backend']))).toEqual({ Worker: 'r2' });
    expect(tokens(parallel)).toEqual({ Backend: 'r2', Frontend: 'r2', Worker: 'r2' });
    expect(tokens({})).toEqual({});
  });
});

describe('a graph that runs', () => {
  test.each([
    [
      'all up to the one in progress',
      sequential(['Frontend', 'Worker', 'Backend']),
      { observedID: 'r2', phase: 'Restarting', inProgress: ['Worker'] },
      ['Frontend', 'Worker'],
    ],
    [
      'all up to the last of several in progress, as after a change of the strategy',
      sequential(['Frontend', 'Worker', 'Backend']),
      { observedID: 'r2', phase: 'Restarting', inProgress: ['Worker', 'Frontend'] },
      ['Frontend', 'Worker'],
    ],
    [
      'all before it in the default order',
      sequential(),
      { observedID: 'r2', phase: 'Restarting', inProgress: ['Worker'] },
      ['Backend', 'Frontend', 'Worker'],
    ],
    [
      'the first while nothing is in progress',
      sequential(),
      { observedID: 'r2', phase: 'Pending', inProgress: ['Worker'] },
      ['Backend'],
    ],
    [
      'none when what is in progress is unknown',
      sequential(),
      { observedID: 'r2', phase: 'Restarting', inProgress: ['Gone'] },
      [],
    ],
    ['all once it is completed', sequential(), { observedID: 'r2', phase: 'Completed' }, ['Backend', 'Frontend', 'Worker']],
    [
      'all in parallel, also while an older restart is completed',
      parallel,
      { observedID: 'r1', phase: 'Completed' },
      ['Backend', 'Frontend', 'Worker'],
    ],
  ] as const)('gives the token to %s', (_what, spec, status, chosen) => {
    expect(tokens(spec, status)).toEqual(Object.fromEntries(chosen.map((service) => [service, 'r2'])));
  });

  test('keeps the last token when the request is removed', () => {
    expect(tokens({}, { observedID: 'r1', phase: 'Completed' })).toEqual({ Backend: 'r1', Frontend: 'r1', Worker: 'r1' });
    expect(tokens({}, { phase: 'Restarting' })).toEqual({});
  });

  test('leaves services that are not reached yet what they have', () => {
    const status = { observedID: 'r2', phase: 'Restarting', inProgress: ['Backend'] };
    expect(tokens(sequential(), status, { Worker: 'r1', Backend: 'r1' })).toEqual({ Backend: 'r2', Worker: 'r1' });
  });
});
