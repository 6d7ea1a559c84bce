import type { SourceIssueCode } from './document.ts';

/** YAML that cannot be read: the offset, and what to change. */
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
