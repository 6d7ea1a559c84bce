import type { Json, JsonObject } from '../json/index.ts';
import { toYamlDocuments } from '../manifest/index.ts';
import type { RuleDescription } from './rule.ts';

/** A rule's example as YAML. */
function exampleYaml(resources: readonly JsonObject[]): string {
  return toYamlDocuments(resources.map((r) => JSON.parse(JSON.stringify(r)) as Json));
}

/** The sections that the page of a rule and `--explain` share. */
function sections(rule: RuleDescription): readonly (readonly [string, string])[] {
  return [
    ['Why', rule.why],
    ['Allowed', rule.allowed],
    ['Fix', rule.fix],
  ];
}

/** The Markdown page of a rule. */
export function rulePage(rule: RuleDescription): string {
  const lines = [`# ${rule.id}: ${rule.title}`, '', `Severity: ${rule.severity}.`, ''];
  for (const [heading, body] of sections(rule)) lines.push(`## ${heading}`, '', body, '');
  if (rule.example) {
    const { bad, good, context } = rule.example();
    const { previous, ...settings } = context ?? {};
    const shown = Object.entries(settings).map(([key, value]) => `\`${key}\`: ${JSON.stringify(value)}`);
    if (shown.length > 0) lines.push('## Settings', '', shown.join(', '), '');
    if (previous) lines.push('## Previously applied', '', '```yaml', `${exampleYaml([previous])}\`\`\``, '');
    lines.push(
      '## Incorrect',
      '',
      '```yaml',
      `${exampleYaml(bad)}\`\`\``,
      '',
      '## Correct',
      '',
      '```yaml',
      `${exampleYaml(good)}\`\`\``,
      '',
    );
  }
  lines.push(
    '## Suppress',
    '',
    '```yaml',
    'metadata:',
    '  annotations:',
    `    dynamo-cdk8s/suppress: '${rule.id}=the reason'`,
    '```',
    '',
  );
  return lines.join('\n');
}

/** The Markdown page that lists all rules. */
export function ruleIndex(rules: readonly RuleDescription[]): string {
  const rows = rules.map(({ id, severity, title }) => `- [${id}](${id}.md) (${severity}): ${title}`);
  const head =
    'The rules of `dynamo-cdk8s lint`. `lint --explain ID` prints the page of a rule, `lint --rules` prints this list.';
  return `# Rules\n\n${head}\n\n${rows.join('\n')}\n`;
}

/** The output of `lint --explain`. */
export function explainRule(rule: RuleDescription): string {
  const lines = [`${rule.id} (${rule.severity}): ${rule.title}`, ''];
  for (const [heading, body] of sections(rule)) lines.push(`${heading}: ${body}`, '');
  if (rule.example) {
    const { bad, good, context } = rule.example();
    const examples: readonly (readonly [string, readonly JsonObject[]])[] = [
      ...(context?.previous ? [['Previously applied', [context.previous]] as const] : []),
      ['Incorrect', bad],
      ['Correct', good],
    ];
    for (const [heading, resources] of examples) lines.push(`${heading}:`, '', indent(exampleYaml(resources)));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function indent(block: string): string {
  return block
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
