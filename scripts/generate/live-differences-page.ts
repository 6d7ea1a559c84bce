import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import type { WantedDifference } from '../../test/live/compare-steps.ts';

interface ModelDifference {
  readonly step: string;
  readonly part: string;
  readonly why: string;
}

function modelRows(): readonly string[] {
  const text = readFileSync(new URL('../../test/live/model-differences.json', import.meta.url), 'utf8');
  const differences = JSON.parse(text) as readonly ModelDifference[];
  const reason = (why: string): string => why.replaceAll(/request-and-model\.md [^:]+: /g, '');
  return differences.map(({ step, part, why }) => `| ${step} | ${part} | ${reason(why)} |`);
}

/** The content of docs/live-differences.md: a row for every intended difference from the recordings of the original operator. */
export async function liveDifferencesPage(): Promise<string> {
  const text = readFileSync(new URL('../../test/live/differences.json', import.meta.url), 'utf8');
  const differences = JSON.parse(text) as readonly WantedDifference[];
  const rows = differences.map(
    ({ scenario, mode = 'all', step, what, why, mayOccur }) =>
      `| ${scenario} | ${mode} | ${step} | \`${what}\` | ${why}${mayOccur === true ? ' Does not occur in every run.' : ''} |`,
  );
  const page = `# Intended differences from the original operator

The scenarios in \`test/live/scenarios\` run against the operator on a real control plane. After each step every status and every object is compared with the recording of the original operator (\`test/live/recorded\`). These differences are intended; there are no others. \`npm run generate\` writes the table from \`test/live/differences.json\`.

| scenario | mode | step | what differs | why |
|---|---|---|---|---|
${rows.join('\n')}

## Models

Calls to workers, writes, events and statuses of models are compared with \`test/live/recorded/models.json\`, with real workers that are healthy, slow, failing, refusing connections or answering incorrectly. Where the original updates the whole object, this operator patches the metadata. These differences are intended; \`test/live/model-differences.json\` lists what this operator does instead.

| step | what differs | why |
|---|---|---|
${modelRows().join('\n')}
`;
  return await format(page, { ...(await resolveConfig(import.meta.filename)), parser: 'markdown' });
}
