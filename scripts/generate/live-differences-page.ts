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

/** The text of docs/live-differences.md: a row for every wanted difference from the original's recordings. */
export async function liveDifferencesPage(): Promise<string> {
  const text = readFileSync(new URL('../../test/live/differences.json', import.meta.url), 'utf8');
  const differences = JSON.parse(text) as readonly WantedDifference[];
  const rows = differences.map(
    ({ scenario, mode = 'all', step, what, why, mayOccur }) =>
      `| ${scenario} | ${mode} | ${step} | \`${what}\` | ${why}${mayOccur === true ? ' Does not occur in every run.' : ''} |`,
  );
  const page = `# Where the operator ends otherwise than the original

The scenarios in \`test/live/scenarios\` are played against the operator on a real control plane, and after each step every status and every object is compared with what the original operator left (\`test/live/recorded\`). These differences are wanted; there are no others. The table is made from \`test/live/differences.json\` by \`npm run generate\`.

| scenario | mode | step | what differs | why |
|---|---|---|---|---|
${rows.join('\n')}

## Models

Calls to workers, writes, events and statuses of models are compared with \`test/live/recorded/models.json\`, with real workers that are healthy, slow, failing, refusing or lying. An update of the whole object by the original is a patch of its metadata here. These differences are wanted; what is done instead is in \`test/live/model-differences.json\`.

| step | what differs | why |
|---|---|---|
${modelRows().join('\n')}
`;
  return await format(page, { ...(await resolveConfig(import.meta.filename)), parser: 'markdown' });
}
