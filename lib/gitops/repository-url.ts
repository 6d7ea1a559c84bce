/** Repository URLs that each controller accepts. Flux's pattern is the one of the GitRepository CRD. */
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

/** Returns what is wrong with a repository URL, or undefined. */
export function checkRepositoryUrl(layout: string, url: string): string | undefined {
  if (layout !== 'flux' && layout !== 'argocd') return undefined;
  const { pattern, example } = forms[layout];
  if (!pattern.test(url))
    return `must be a URL that ${layout === 'flux' ? 'Flux' : 'Argo CD'} accepts, such as ${example}; got '${hideCredentials(url)}'`;
  if (hasCredentials(url))
    return `must not contain a password or token, which would be committed to Git; put it in a Secret of the controller, got '${hideCredentials(url)}'`;
  return undefined;
}

/** Schemes of URLs in which a user without a password is a token. */
const tokenSchemes = /(?:https?|nats|tls|wss?)$/i;

/** The scheme and user information (RFC 3986, section 3.2.1) of every URL in a string, in one pass. */
function* userInformation(value: string): Iterable<{ readonly scheme: string; readonly user: string }> {
  for (let at = value.indexOf('://'); at >= 0; at = value.indexOf('://', at + 3)) {
    const rest = value.slice(at + 3, at + 3 + 1024);
    const host = rest.slice(0, rest.search(/[\s/]|$/));
    const end = host.lastIndexOf('@');
    if (end > 0) yield { scheme: value.slice(Math.max(0, at - 8), at), user: host.slice(0, end) };
  }
}

/** Whether a string contains a URL with a password or token; a variable such as `$TOKEN` is neither. */
export function hasCredentials(value: string): boolean {
  for (const { scheme, user } of userInformation(value)) {
    const [name = '', ...password] = user.split(':');
    const secret = password.length > 0 ? password.join(':') : tokenSchemes.test(scheme) ? name : '';
    if (secret !== '' && !secret.startsWith('$')) return true;
  }
  return false;
}

/** Masks the user information of URLs in a string, up to the last `@` of the host: a password may contain one. */
export function hideCredentials(value: string): string {
  return value.replaceAll(/:\/\/[^\s/]+@/g, '://***@');
}
