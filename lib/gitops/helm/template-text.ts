const plain = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;
const ambiguous = /^(y|n|yes|no|on|off|true|false|null|~)$/i;

/** Text with its own `{{` and `}}`, as alert annotations have them, written so that a template prints them. */
export function escapeBraces(text: string): string {
  return text.replaceAll(/\{\{|\}\}/g, (braces) => `{{ "${braces}" }}`);
}

/** A string as YAML in a template: bare where nobody can misread it, else in double quotes. */
export function quoted(text: string): string {
  return plain.test(text) && !ambiguous.test(text) ? text : escapeBraces(JSON.stringify(text));
}
