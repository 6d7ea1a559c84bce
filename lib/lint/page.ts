import type { Json, JsonObject } from '../json/index.ts';
import { toYamlDocuments } from '../manifest/index.ts';
import type { RuleDescription } from './rule.ts';

/** A rule's example as YAML. */
function exampleYaml(resources: readonly JsonObject[]): string {
  return toYamlDocuments(resources.map((r) => JSON.parse(JSON.stringify(r)) as Json));
}

/** The sections a rule's page and `--explain` have in common. */
function sections(rule: RuleDescription): readonly (readonly [string, string])[] {
  return [
    ['Why', rule.why],
    ['Allowed', rule.allowed],
    ['What to do', rule.fix],
  ];
}

/** The page of a rule in Markdown. */
export function rulePage(rule: RuleDescription): string {
  const lines = [`# ${rule.id}: ${rule.title}`, '', `Severity: ${rule.severity}.`, ''];
  for (const [heading, text] of sections(rule)) lines.push(`## ${heading}`, '', text, '');
  if (rule.example) {
    const { bad, good, context } = rule.example();
    const { previous, ...settings } = context ?? {};
    const given = Object.entries(settings).map(([key, value]) => `\`${key}\` ${JSON.stringify(value)}`);
    if (given.length > 0) lines.push('## With', '', given.join(', '), '');
    if (previous) lines.push('## Applied before', '', '```yaml', `${exampleYaml([previous])}\`\`\``, '');
    lines.push(
      '## Reported',
      '',
      '```yaml',
      `${exampleYaml(bad)}\`\`\``,
      '',
      '## Fine',
      '',
      '```yaml',
      `${exampleYaml(good)}\`\`\``,
      '',
    );
  }
  lines.push(
    '## Accepting it',
    '',
    '```yaml',
    'metadata:',
    '  annotations:',
    `    dynamo-cdk8s/suppress: '${rule.id}=why it is fine here'`,
    '```',
    '',
  );
  return lines.join('\n');
}

/** The page that lists all rules in Markdown. */
export function ruleIndex(rules: readonly RuleDescription[]): string {
  const rows = rules.map(({ id, severity, title }) => `- [${id}](${id}.md) (${severity}): ${title}`);
  const head = 'What `dynamo-cdk8s lint` looks for. `lint --explain ID` prints the same text, `lint --rules` this list.';
  return `# Rules\n\n${head}\n\n${rows.join('\n')}\n`;
}

/** What `--explain` prints. */
export function explainRule(rule: RuleDescription): string {
  const lines = [`${rule.id} (${rule.severity}): ${rule.title}`, ''];
  for (const [heading, text] of sections(rule)) lines.push(`${heading}: ${text}`, '');
  if (rule.example) {
    const { bad, good, context } = rule.example();
    const shown: readonly (readonly [string, readonly JsonObject[]])[] = [
      ...(context?.previous ? [['Applied before', [context.previous]] as const] : []),
      ['Reported', bad],
      ['Fine', good],
    ];
    for (const [heading, resources] of shown) lines.push(`${heading}:`, '', indent(exampleYaml(resources)));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
