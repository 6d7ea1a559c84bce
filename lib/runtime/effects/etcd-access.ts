/** Access to an etcd that requires TLS or a user, from the environment variables that pods of graphs read too. */
import { readFile } from 'node:fs/promises';

/** Credentials and certificates for etcd; files are read at each use. */
export interface EtcdAccess {
  readonly username: string;
  readonly password: string;
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** The access that environment variables describe; empty where they are not set. */
export function etcdAccess(environment: Readonly<Record<string, string | undefined>>): EtcdAccess {
  const variable = (name: string): string => environment[`ETCD_AUTH_${name}`] ?? '';
  return {
    username: variable('USERNAME'),
    password: variable('PASSWORD'),
    caFile: variable('CA'),
    certificateFile: variable('CLIENT_CERT'),
    keyFile: variable('CLIENT_KEY'),
  };
}

/** Whether an address without a scheme means TLS. */
export function usesTls({ caFile, certificateFile }: EtcdAccess): boolean {
  return caFile !== '' || certificateFile !== '';
}

/** The certificates of a connection. */
export async function tlsOf({ caFile, certificateFile, keyFile }: EtcdAccess): Promise<Readonly<Record<string, string>>> {
  const files = { ca: caFile, cert: certificateFile, key: keyFile };
  const given = Object.entries(files).filter(([, path]) => path !== '');
  return Object.fromEntries(await Promise.all(given.map(async ([name, path]) => [name, await readFile(path, 'utf8')] as const)));
}

/** The user to authenticate as: the one in the address, else that of the environment; none where neither names one. */
export function userOf(
  endpoint: URL,
  { username, password }: EtcdAccess,
): { readonly name: string; readonly password: string } | undefined {
  if (endpoint.username !== '')
    return { name: decodeURIComponent(endpoint.username), password: decodeURIComponent(endpoint.password) };
  return username === '' ? undefined : { name: username, password };
}
