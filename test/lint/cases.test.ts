import { expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { lintResource, buildLintIndex, type Finding, type LintContext } from '../../lib/lint/index.ts';
import * as backends from './cases/backends.ts';
import * as gpus from './cases/gpus.ts';
import * as names from './cases/names.ts';
import * as references from './cases/references.ts';
import * as releases from './cases/releases.ts';
import * as roles from './cases/roles.ts';
import * as routing from './cases/routing.ts';

function lintAll(resources: readonly JsonObject[], context: LintContext = {}): readonly Finding[] {
  const plain = JSON.parse(JSON.stringify(resources)) as JsonObject[];
  const around = buildLintIndex({ ...context, resources: plain });
  return plain.flatMap((resource) => lintResource(resource, around).findings);
}

const firing = [
  ...backends.firing,
  ...gpus.firing,
  ...names.firing,
  ...references.firing,
  ...releases.firing,
  ...roles.firing,
  ...routing.firing,
].map(([id, what, severity, resources, path, context]) => ({ id, what, severity, resources, path, context }));

test.each(firing)('$id reports $what as $severity', ({ id, severity, resources, path, context }) => {
  const found = lintAll(resources, context)
    .filter((f) => f.id === id)
    .map((f) => [f.severity, formatPath(f.path)]);
  expect(found).toContainEqual([severity, path]);
});

const silent = [
  ...backends.silent,
  ...gpus.silent,
  ...names.silent,
  ...references.silent,
  ...releases.silent,
  ...roles.silent,
  ...routing.silent,
].map(([id, what, resources, context]) => ({ id, what, resources, context }));

test.each(silent)('$id leaves $what alone', ({ id, resources, context }) => {
  expect(lintAll(resources, context).filter((f) => f.id === id && f.path[0] !== 'metadata')).toEqual([]);
});
