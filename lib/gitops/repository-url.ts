/** Forms of a repository's address that each controller takes, and how to say so. Flux's is the pattern of its CRD. */
const forms = {
  flux: {
    pattern: /^(http|https|ssh):\/\/[^\s/]+\/\S+$/,
    example: 'https://git.example.com/org/repo.git or ssh://git@git.example.com/org/repo.git',
  },
  argocd: {
    pattern: /^(?:(?:http|https|ssh|git):\/\/[^\s/]+\/\S+|[^\s@:/]+@[^\s@:/]+:\S+)$/,
    example: 'https://git.example.com/org/repo.git, ssh://git@git.example.com/org/repo.git or git@git.example.com:org/repo.git',
  },
} as const;

/** What is wrong with the address of a repository, or undefined. */
export function checkRepositoryUrl(layout: string, url: string): string | undefined {
  if (layout !== 'flux' && layout !== 'argocd') return undefined;
  const { pattern, example } = forms[layout];
  if (!pattern.test(url))
    return `must be an address that ${layout === 'flux' ? 'Flux' : 'Argo CD'} takes, such as ${example}; got '${hideCredentials(url)}'`;
  if (hasCredentials(url))
    return `must not hold a password or token, which would be in Git; give the controller a Secret and leave it out: '${hideCredentials(url)}'`;
  return undefined;
}

/** Schemes whose address is a secret with a user alone, which is then a token. */
const tokenSchemes = /(?:https?|nats|tls|wss?)$/i;

/** The part of an address between the scheme and the host, for every address in a text. Walks the text once. */
function* userParts(text: string): Iterable<{ readonly scheme: string; readonly user: string }> {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const rest = text.slice(at + 3, at + 3 + 1024);
    const host = rest.slice(0, rest.search(/[\s/]|$/));
    const end = host.lastIndexOf('@');
    if (end > 0) yield { scheme: text.slice(Math.max(0, at - 8), at), user: host.slice(0, end) };
  }
}

/** Whether a text holds an address with a password or token in it; a variable that is filled in later is none. */
export function hasCredentials(text: string): boolean {
  for (const { scheme, user } of userParts(text)) {
    const [name = '', ...password] = user.split(':');
    const secret = password.length > 0 ? password.join(':') : tokenSchemes.test(scheme) ? name : '';
    if (secret !== '' && !secret.startsWith('$')) return true;
  }
  return false;
}

/** The text with credentials in addresses left out. */
export function hideCredentials(text: string): string {
  return text.replaceAll(/:\/\/[^\s/@]+@/g, '://***@');
}
