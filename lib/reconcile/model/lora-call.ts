import type { Effect } from '../decision.ts';

/** Seconds that one call to a worker may take, from connecting to the end of the answer. */
const callSeconds = 15;

/** An adapter as workers know it. */
export interface Adapter {
  readonly name: string;
  readonly uri: string;
}

/** Asks a worker to load an adapter. The worker also answers with success if it is loaded already. */
export function loadCall(address: string, { name, uri }: Adapter): Effect {
  return {
    effect: 'http',
    id: `load ${address} ${name} ${uri}`,
    method: 'POST',
    url: `${address}/v1/loras`,
    body: { lora_name: name, source: { uri } },
    exclusive: exclusive(address, name),
    timeoutSeconds: callSeconds,
  };
}

/** Asks a worker to unload an adapter. */
export function unloadCall(address: string, name: string): Effect {
  return {
    effect: 'http',
    id: `unload ${address} ${name}`,
    method: 'DELETE',
    url: `${address}/v1/loras/${encodePath(name)}`,
    exclusive: exclusive(address, name),
    timeoutSeconds: callSeconds,
  };
}

/** Asks a worker which adapters it has loaded. */
export function listCall(address: string): Effect {
  return { effect: 'http', id: `list ${address}`, method: 'GET', url: `${address}/v1/loras`, timeoutSeconds: callSeconds };
}

/** Whether a name can be part of a URL's path. Segments `.` and `..` would be resolved to another path (RFC 3986, section 5.2.4). */
export function isPathSafe(name: string): boolean {
  return !name.split('/').some((segment) => segment === '.' || segment === '..');
}

function exclusive(address: string, name: string): string {
  return `${address} ${name}`;
}

const kept = /^[A-Za-z0-9\-_.~$&+,/:;=@]$/;

/** A name as part of a URL's path: slashes stay, other reserved characters are percent-encoded as Go's `url.URL` does. */
function encodePath(name: string): string {
  let path = '';
  for (const character of name)
    path += kept.test(character)
      ? character
      : Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
          '',
        );
  return path;
}
