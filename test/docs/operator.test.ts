import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { originalFlags, ownFlags } from '../../lib/runtime/flag-table.ts';
import type { FlagDefinition } from '../../lib/runtime/go-flags.ts';
import { originalMetrics, ownMetrics } from '../../lib/runtime/metrics/metric-table.ts';
import { webhookKinds } from '../../lib/admission/webhook-paths.ts';

const page = readFileSync(new URL('../../docs/operator.md', import.meta.url), 'utf8');

/** The rows below a heading of a table, cells trimmed. */
function tables(firstColumn: string): readonly (readonly (readonly string[])[])[] {
  const blocks = page.split('\n\n').filter((block) => block.startsWith(`| ${firstColumn} `));
  return blocks.map((block) =>
    block
      .trim()
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .slice(1, -1)
          .split(' | ')
          .map((cell) => cell.replace(/^\| /, '').trim()),
      ),
  );
}

function flagRow({ name, type, default: value, does }: FlagDefinition): readonly string[] {
  const shown = typeof type === 'string' ? type : type.placeholder.replaceAll('|', ', ');
  return [`\`--${name}\``, shown, value === '' ? '' : `\`${value}\``, does];
}

describe('docs/operator.md', () => {
  test('lists every flag with its default', () => {
    expect(tables('Flag')).toEqual([originalFlags.map(flagRow), ownFlags.map(flagRow)]);
  });

  test('lists every metric with its labels', () => {
    const row = ({ name, type, labels, help }: (typeof originalMetrics)[number]): readonly string[] => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ];
    expect(tables('Metric')).toEqual([originalMetrics.map(row), ownMetrics.map(row)]);
  });

  test('lists the path of every webhook', () => {
    for (const path of webhookKinds.keys()) expect(page).toContain(`| 9443 | \`${path}\``);
  });
});
