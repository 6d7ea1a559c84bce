import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { nest, openValues } from '../../lib/gitops/helm/open-values.ts';
import { chartValuesSchema } from '../../lib/gitops/helm/values-schema.ts';
import type { Json } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';

const hostile: readonly Json[] = [
  '10Gi\n---\napiVersion: v1',
  '10Gi, store_dir: /evil',
  "a'; $(EVIL) `EVIL`",
  '{{ EVIL }}',
  'a\u2028b',
  'a\u001bb',
];
const base = { etcd: { enabled: true } };

test.each(['original', 'dynamo-cdk8s'] as const)(
  'the chart with the operator %s refuses each value that platform refuses',
  (kind) => {
    const values = openValues(kind);
    const accepts = new Ajv({ strict: false }).compile(chartValuesSchema(values));
    const strings = values.filter(({ type }) => type === 'string').map(({ path }) => path);
    const refused = strings.flatMap((path) =>
      hostile
        .filter((text) => {
          const { issues } = renderPlatform(mergeLayers([base, { platform: { operator: { kind } } }, nest(path, text)]), {});
          return issues.some((issue) => issue.path.join('.') === path);
        })
        .map((text) => ({ path, text })),
    );
    expect(refused.map(({ path }) => path)).toContain('nats.config.jetstream.fileStore.pvc.size');
    expect(refused.filter(({ path, text }) => accepts(nest(path, text)))).toEqual([]);
  },
);
