import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caseSpace, Conditions } from '../../../lib/gitops/helm/conditions.ts';
import { fold } from '../../../lib/gitops/helm/fold-variants.ts';
import { Placeholders } from '../../../lib/gitops/helm/placeholders.ts';
import { TemplateWriter } from '../../../lib/gitops/helm/template-writer.ts';

test("the worked example in the folder's head comment is what the code does", () => {
  const placeholders = new Placeholders({});
  const tag = placeholders.string('.Values.tag');
  const space = caseSpace([{ name: 'replicas', tests: ['gt (int .Values.replicas) 1', 'le (int .Values.replicas) 1'] }]);
  const cases = [3, 1].map((replicas, i) => ({
    cases: 1n << BigInt(i),
    value: { kind: 'Deployment', strategy: replicas > 1 ? 'RollingUpdate' : 'Recreate', image: `operator:${tag}` },
  }));
  const written = new TemplateWriter(new Conditions(space), placeholders).document({ when: space.all, node: fold(cases) });
  const comment = readFileSync(new URL('../../../lib/gitops/helm/index.ts', import.meta.url), 'utf8').replaceAll(/^ \* ?/gm, '');
  const lines = comment.slice(comment.indexOf('`TemplateWriter` writes')).split('\n').slice(2);
  const shown = lines.slice(0, lines.indexOf('')).map((line) => line.slice(7));
  expect(tag).toBe('zz731000zz');
  expect(comment).toContain("{ kind: 'Deployment', strategy: 'RollingUpdate', image: 'operator:zz731000zz' }");
  expect(written).toBe(`---\n${shown.join('\n')}\n`);
});
