import { byteOrder, printable, printableLines } from '../../json/index.ts';
import type { Finding, Report } from './finding.ts';

/** A report in SARIF 2.1.0, which code scanning services read. */
export function sarifReport({ findings }: Report, version: string): string {
  const rules = new Map(findings.map((finding) => [finding.id, finding.ruleDescription]));
  const ids = [...rules.keys()].toSorted(byteOrder);
  const driver = {
    name: 'dynamo-cdk8s',
    version,
    rules: ids.map((id) => ({ id, shortDescription: { text: rules.get(id) ?? id.replaceAll('_', ' ') } })),
  };
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results: findings.map((finding) => result(finding, ids)) };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function result({ file, line, column, severity, id, path, message }: Finding, ids: readonly string[]): object {
  const region = line > 0 ? { region: { startLine: line, startColumn: column } } : {};
  return {
    ruleId: id,
    ruleIndex: ids.indexOf(id),
    level: severity,
    message: { text: printableLines(path === '' ? message : `${printable(path)}: ${message}`) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uri(file) }, ...region },
        ...(path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: printable(path) }] }),
      },
    ],
  };
}

function uri(file: string): string {
  return encodeURI(file.replaceAll('\\', '/').replace(/^\.\//, '')).replaceAll(/[#?:]/g, encodeURIComponent);
}
