import { byteLength } from '../json/index.ts';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${label}(\\.${label})*$`);
const dnsLabel = new RegExp(`^${label}$`);
const nameCharacters = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/**
 * What is wrong with the name of an object (RFC 1123 subdomain), if anything.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names
 */
export function subdomainProblem(name: string): string | undefined {
  if (byteLength(name) > 253) return `must have at most 253 characters, got ${byteLength(name)}`;
  return subdomain.test(name)
    ? undefined
    : 'must consist of lower case letters, digits, - and ., and begin and end with a letter or digit';
}

/** What is wrong with the name of a namespace (RFC 1123 label), if anything. */
export function labelProblem(name: string): string | undefined {
  if (byteLength(name) > 63) return `must have at most 63 characters, got ${byteLength(name)}`;
  return dnsLabel.test(name)
    ? undefined
    : 'must consist of lower case letters, digits and -, and begin and end with a letter or digit';
}

/** What is wrong with the name of a Helm release, if anything: https://helm.sh/docs/chart_best_practices/conventions/. */
export function releaseNameProblem(name: string): string | undefined {
  return byteLength(name) > 53 ? `must have at most 53 characters, got ${byteLength(name)}` : subdomainProblem(name);
}

/** What is wrong with the prefix of a generated name, if anything. */
export function generateNameProblem(prefix: string): string | undefined {
  // A trailing dash is allowed, since a suffix follows. `maskTrailingDash` of k8s.io/apimachinery also drops the character before it.
  return subdomainProblem(prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix);
}

/**
 * An example of the name that the API server generates from a prefix: it truncates the prefix and appends five random characters
 * (`SimpleNameGenerator` of k8s.io/apiserver/pkg/storage/names). `ordinal` tells several objects with one prefix apart.
 */
export function generatedName(prefix: string, ordinal = 1): string {
  return `${prefix.slice(0, 58)}${(ordinal === 1 ? '' : String(ordinal)).padStart(5, 'x')}`;
}

/**
 * What is wrong with the key of a label or annotation, or with a finalizer, if anything.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
 */
export function qualifiedNameProblem(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2) return 'must have at most one /';
  if (parts.length === 2 && (parts[0] === '' || subdomainProblem(parts[0] ?? '') !== undefined))
    return 'must have a DNS name before the /';
  if (name === '') return 'must not be empty';
  if (byteLength(name) > 63) return `must have at most 63 characters, got ${byteLength(name)}`;
  return nameCharacters.test(name)
    ? undefined
    : 'must consist of letters, digits, -, _ and ., and begin and end with a letter or digit';
}

/** What is wrong with the value of a label, if anything. */
export function labelValueProblem(value: string): string | undefined {
  if (byteLength(value) > 63) return `must have at most 63 characters, got ${byteLength(value)}`;
  return value === '' || nameCharacters.test(value)
    ? undefined
    : 'must consist of letters, digits, -, _ and ., and begin and end with a letter or digit';
}
