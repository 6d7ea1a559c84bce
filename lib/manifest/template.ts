/** The offset of the first Helm template action that begins a line or replaces a value; undefined if there is none. */
export function findTemplateAction(text: string): number | undefined {
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at + 2)) {
    const end = text.indexOf('}}', at);
    if (end < 0) return undefined;
    const before = text.slice(text.lastIndexOf('\n', at) + 1, at).trimEnd();
    if (before.trim() === '' || before.endsWith(':') || before.endsWith('-')) return at;
  }
  return undefined;
}

const variable = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/;
const slot = /^<[A-Za-z][A-Za-z0-9 _-]*>$/;

/** Whether a value contains a placeholder that must be replaced before the manifest is applied: `${NAMESPACE}`, `<your-namespace>`. */
export function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && (variable.test(value) || slot.test(value));
}
