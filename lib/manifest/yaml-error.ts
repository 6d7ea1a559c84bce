import type { SourceIssueCode } from './document.ts';

/** A YAML text that cannot be read: where, and what to change. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  readonly offset: number;
  readonly code: SourceIssueCode;

  constructor(offset: number, message: string, code: SourceIssueCode = 'syntax') {
    super(message);
    this.offset = offset;
    this.code = code;
  }
}
