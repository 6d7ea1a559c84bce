const schemeStart = /^[a-zA-Z]/;
const schemeCharacters = /^[a-zA-Z0-9+.-]*$/;
const badEscape = /%(?![0-9a-fA-F]{2})/;
// What Go refuses in a host name; bytes above ASCII pass.
const badHostCharacter = /[\x00-\x20"<>\\^`{|}\x7f]/;

/** The error that Go's `url.Parse` returns for an address; undefined when it accepts it. */
export function urlProblem(address: string): string | undefined {
  const quoted = JSON.stringify(address);
  if (/[\x00-\x1f\x7f]/.test(address)) return `parse ${quoted}: net/url: invalid control character in URL`;
  const problem = problemIn(address);
  return problem === undefined ? undefined : `parse ${quoted}: ${problem}`;
}

function problemIn(address: string): string | undefined {
  const whole = before(address, '#');
  const colon = whole.indexOf(':');
  const head = colon < 0 ? '' : whole.slice(0, colon);
  if (colon === 0) return 'missing protocol scheme';
  const hasScheme = colon > 0 && schemeStart.test(head) && schemeCharacters.test(head);
  const rest = before(hasScheme ? whole.slice(colon + 1) : whole, '?');
  const fragment = address.slice(whole.length);
  const escaped = badEscape.exec(rest) ?? badEscape.exec(fragment);
  if (!rest.startsWith('/')) {
    if (hasScheme) return undefined;
    if (before(rest, '/').includes(':')) return 'first path segment in URL cannot contain colon';
  }
  const authority = rest.startsWith('//') && !rest.startsWith('///') ? before(rest.slice(2), '/') : undefined;
  const problem = authority === undefined ? undefined : authorityProblem(authority);
  if (problem !== undefined) return problem;
  if (escaped === null) return undefined;
  const source = badEscape.exec(rest) === null ? fragment : rest;
  return `invalid URL escape ${JSON.stringify(source.slice(escaped.index, escaped.index + 3))}`;
}

function authorityProblem(authority: string): string | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  if (/[^a-zA-Z0-9\-._:~!$&'()*+,;=%@]/.test(user)) return 'net/url: invalid userinfo';
  const bracket = host.lastIndexOf(']');
  if (host.startsWith('[') && bracket < 0) return "missing ']' in host";
  const name = host.startsWith('[') ? host.slice(0, bracket + 1) : host;
  const bad = badHostCharacter.exec(name);
  if (bad !== null) return `invalid character ${JSON.stringify(bad[0])} in host name`;
  const port = host.startsWith('[') ? host.slice(bracket + 1) : host.includes(':') ? host.slice(host.lastIndexOf(':')) : '';
  if (port !== '' && !/^:[0-9]*$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  return undefined;
}

function before(whole: string, mark: string): string {
  const at = whole.indexOf(mark);
  return at < 0 ? whole : whole.slice(0, at);
}
