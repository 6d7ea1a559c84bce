const plain = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;
/** Plain scalars that YAML 1.1 reads as booleans or null, see https://yaml.org/type/bool.html and https://yaml.org/type/null.html. */
const ambiguous = /^(y|n|yes|no|on|off|true|false|null|~)$/i;

/** Escapes `{{` and `}}`, which alert annotations contain, so that a template prints them. */
export function escapeBraces(content: string): string {
  return content.replaceAll(/\{\{|\}\}/g, (braces) => `{{ "${braces}" }}`);
}

/** A string as YAML in a template: plain if it is unambiguous, otherwise in double quotes. */
export function quoted(value: string): string {
  return plain.test(value) && !ambiguous.test(value) ? value : escapeBraces(JSON.stringify(value));
}
