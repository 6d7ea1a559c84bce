import type { JsonObject } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy } from '../go-values.ts';
import { metadata, suffixed, type EtcdRelease } from './release.ts';

/** Whether clients must authenticate. */
export function authenticated({ values }: Pick<EtcdRelease, 'values'>): boolean {
  return truthy(atPath(values, 'auth.rbac.create'));
}

/** Secret that holds the root password. */
export function secretName(etcd: EtcdRelease): string {
  return templateString(orElse(atPath(etcd.values, 'auth.rbac.existingSecret'), etcd.name));
}

/** Key of the root password in its Secret. */
export function passwordKey({ values }: Pick<EtcdRelease, 'values'>): string {
  const rbac = atPath(values, 'auth.rbac');
  const given = atPath(rbac, 'existingSecretPasswordKey');
  return truthy(atPath(rbac, 'existingSecret')) && truthy(given) ? templateString(given) : 'etcd-root-password';
}

/** Whether tokens are signed with a key from a file. */
export function usesTokenKey({ values }: Pick<EtcdRelease, 'values'>): boolean {
  return truthy(atPath(values, 'auth.token.enabled')) && atPath(values, 'auth.token.type') === 'jwt';
}

/** Secret that holds the key tokens are signed with. */
export function tokenSecretName(etcd: EtcdRelease): string {
  return templateString(orElse(atPath(etcd.values, 'auth.token.privateKey.existingSecret'), suffixed(etcd, 'jwt-token')));
}

/** Whether the release creates the Secret with the key of the tokens. */
export function makesTokenSecret(etcd: EtcdRelease): boolean {
  return usesTokenKey(etcd) && !truthy(atPath(etcd.values, 'auth.token.privateKey.existingSecret'));
}

function base64(value: string): string {
  return Buffer.from(value, 'utf8').toString('base64');
}

function rootPassword(etcd: EtcdRelease): JsonObject {
  const given = atPath(etcd.values, 'auth.rbac.rootPassword');
  const path = ['etcd', 'auth', 'rbac', 'rootPassword'];
  etcd.warnings.push(
    truthy(given)
      ? {
          path,
          code: 'secret_in_values',
          message: 'is written into a Secret; name an existing Secret as auth.rbac.existingSecret instead',
        }
      : {
          path,
          code: 'random_data',
          message:
            'is empty, since Helm generates a password here, which would differ in every render; set auth.rbac.existingSecret',
        },
  );
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadata(etcd, { name: etcd.name, component: 'etcd' }),
    type: 'Opaque',
    data: { 'etcd-root-password': truthy(given) ? base64(templateString(given)) : '' },
  };
}

function tokenKey(etcd: EtcdRelease): JsonObject {
  etcd.warnings.push({
    path: ['etcd', 'auth', 'token', 'privateKey', 'existingSecret'],
    code: 'random_data',
    message:
      'is empty, since Helm generates a key here, which would differ in every render; name a Secret, or set auth.token.enabled to false, since tokens are used with auth.rbac only',
  });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadata(etcd, { name: tokenSecretName(etcd) }),
    type: 'Opaque',
    data: { 'jwt-token.pem': '' },
  };
}

/** The Secrets that the release creates. */
export function secrets(etcd: EtcdRelease): readonly JsonObject[] {
  return [
    ...(authenticated(etcd) && !truthy(atPath(etcd.values, 'auth.rbac.existingSecret')) ? [rootPassword(etcd)] : []),
    ...(makesTokenSecret(etcd) ? [tokenKey(etcd)] : []),
  ];
}
