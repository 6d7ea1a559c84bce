import type { Report } from './finding.ts';

/** A report as one JSON object. */
export function jsonReport({ findings, objects, passedBy, files }: Report): string {
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  const listed = findings.map((finding) => ({ ...finding, ruleDescription: undefined, stage: undefined }));
  const whole = { valid: errors === 0, files, objects, passedBy, errors, warnings: findings.length - errors, findings: listed };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
