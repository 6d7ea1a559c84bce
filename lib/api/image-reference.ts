/** Grammar of image references, as the kubelet parses them: https://pkg.go.dev/github.com/distribution/reference. */

const longestTag = 128;
const longestName = 255;

/** Length in hexadecimal digits of the digests that container runtimes know. */
const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/** What separates the words of a name: one dot, one or two underscores, or any number of dashes. */
const separator = /^(?:\.|__?|-+)$/;

function wrongDigest(digest: string): string | undefined {
  const [algorithm = '', digits = '', ...more] = digest.split(':');
  const length = Object.hasOwn(digestLengths, algorithm) ? digestLengths[algorithm] : undefined;
  if (length !== undefined && more.length === 0 && digits.length === length && /^[0-9a-f]*$/.test(digits)) return undefined;
  return "must have a digest after its '@', such as sha256: and 64 hexadecimal digits";
}

function wrongTag(tag: string): string | undefined {
  if (tag === '') return "must have a tag after its ':'";
  if (/^\w[\w.-]*$/.test(tag) && tag.length <= longestTag) return undefined;
  return `must have a tag of at most ${longestTag} letters, digits, '_', '.' and '-', without '.' or '-' at its start`;
}

/** Whether the first part of a name is a registry: a host name with a dot, a port or upper-case letters, or `localhost`. */
function isRegistry(part: string): boolean {
  return /[.:A-Z]/.test(part) || part === 'localhost';
}

function wrongRegistry(registry: string): string | undefined {
  const [host = '', port, ...more] = registry.split(':');
  const isAddress = /^\[[0-9A-Fa-f:]+\](?::\d+)?$/.test(registry);
  const isHost = host
    .split('.')
    .every((label) => /^[A-Za-z0-9-]+$/.test(label) && !label.startsWith('-') && !label.endsWith('-'));
  if (isAddress || (isHost && more.length === 0 && (port === undefined || /^\d+$/.test(port)))) return undefined;
  return `must have a host name, with or without a port, as its registry, not '${registry}'`;
}

function wrongPart(part: string): string | undefined {
  if (part === '') return "must have a name before and after each '/'";
  if (/[A-Z]/.test(part)) return 'must not have upper-case letters in its repository';
  const separators = part.match(/[._-]+/g) ?? [];
  const isName = /^[a-z0-9._-]*$/.test(part) && /^[a-z0-9]/.test(part) && /[a-z0-9]$/.test(part);
  if (isName && separators.every((text) => separator.test(text))) return undefined;
  return `must have letters and digits, separated by '.', '_', '__' or '-', in its repository, not '${part}'`;
}

/** What an image reference must be for the kubelet to parse it, such as `must have a tag after its ':'`; undefined when it can. */
export function malformedImage(reference: string): string | undefined {
  const [name = '', digest, ...moreDigests] = reference.split('@');
  const parts = name.split('/');
  const [last = '', tag, ...moreTags] = (parts.pop() ?? '').split(':');
  const registry = parts[0] !== undefined && isRegistry(parts[0]) ? parts[0] : undefined;
  const repository = [...(registry === undefined ? parts : parts.slice(1)), last];
  if (reference === '') return 'must not be empty';
  if (/\s/.test(reference)) return 'must not contain a space';
  if (/^[a-z]+:\/\//i.test(reference)) return 'must not start with a URL scheme';
  if (moreTags.length > 0) return "must not have a second ':' after its tag";
  if (moreDigests.length > 0) return "must not have a second '@'";
  if (repository.join('/').length > longestName) return `must have at most ${longestName} characters in its repository`;
  if (parts.length === 0 && /^[0-9a-f]{64}$/.test(last)) return 'must have a name, not a digest alone';
  const reasons = [
    ...repository.map(wrongPart),
    registry === undefined ? undefined : wrongRegistry(registry),
    tag === undefined ? undefined : wrongTag(tag),
    digest === undefined ? undefined : wrongDigest(digest),
  ];
  return reasons.find((reason) => reason !== undefined);
}
