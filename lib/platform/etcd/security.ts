import type { Issue } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { mergeLayers } from '../merge.ts';

function certificate(block: Value, verify: boolean): JsonObject {
  return {
    secureTransport: true,
    useAutoTLS: false,
    existingSecret: templateString(atPath(block, 'secretName')),
    enableAuthentication: verify,
    certFilename: 'tls.crt',
    certKeyFilename: 'tls.key',
    caFilename: 'ca.crt',
  };
}

/** The chart values that `security.auth` and `security.tls` set. */
const layers: Readonly<Record<string, (block: Value) => JsonObject>> = {
  auth: (block) => ({
    auth: {
      rbac: {
        create: true,
        existingSecret: templateString(atPath(block, 'secretName')),
        existingSecretPasswordKey: templateString(atPath(block, 'passwordKey')),
      },
    },
  }),
  tls: (block) => ({
    auth: { client: certificate(block, truthy(atPath(block, 'verifyClients'))), peer: certificate(block, true) },
  }),
};

/** Sets the token type if there is no signing key: `simple` with authentication, none without. */
function withoutRandomKey(values: JsonObject): JsonObject {
  const hasKey = truthy(atPath(values, 'auth.token.privateKey.existingSecret')) || atPath(values, 'auth.token.type') !== 'jwt';
  if (!truthy(atPath(values, 'auth.rbac.create')))
    return hasKey ? values : mergeLayers([values, { auth: { token: { enabled: false } } }]);
  // Members without a token type use simple tokens, and the defragmentation job gets the password only if tokens are enabled.
  if (hasKey && truthy(atPath(values, 'auth.token.enabled'))) return values;
  return mergeLayers([values, { auth: { token: { enabled: true, type: 'simple' } } }]);
}

/** Adds a PodDisruptionBudget that keeps the quorum of several members; only one of its two numbers may be set. */
function withBudget(values: JsonObject): JsonObject {
  const several = Number(templateString(atPath(values, 'replicaCount'))) > 1;
  const pdb = {
    create: several || truthy(atPath(values, 'pdb.create')),
    ...(truthy(atPath(values, 'pdb.maxUnavailable')) ? { minAvailable: '' } : {}),
  };
  return mergeLayers([values, { pdb }]);
}

/** Applies the block `security` and the changes of the secure profile to the values; the issues name missing Secrets. */
export function applySecurityBlock(
  values: JsonObject,
  { switches }: PlatformContext,
): { readonly values: JsonObject; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  let result = values;
  for (const [name, layer] of Object.entries(switches['security-blocks'] ? layers : {})) {
    const block = atPath(values, 'security', name);
    if (!truthy(atPath(block, 'enabled'))) continue;
    if (truthy(atPath(block, 'secretName'))) result = mergeLayers([result, layer(block)]);
    else
      issues.push({ path: ['etcd', 'security', name, 'secretName'], code: 'required', message: 'must name the Secret to use' });
  }
  if (switches['no-random-data']) result = withoutRandomKey(result);
  if (switches['spread-replicas']) result = withBudget(result);
  return { values: result, issues };
}
