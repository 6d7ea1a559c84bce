import type { JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { mergeLayers } from '../merge.ts';
import { applySecurityBlock, type SecuredValues } from '../security-block.ts';

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

/** The chart values that `security.auth` stands for. */
function authLayer(entry: Value): JsonObject {
  return {
    auth: {
      rbac: {
        create: true,
        existingSecret: templateString(atPath(entry, 'secretName')),
        existingSecretPasswordKey: templateString(atPath(entry, 'passwordKey')),
      },
    },
  };
}

/** The chart values that `security.tls` stands for; members always verify each other. */
function tlsLayer(entry: Value): JsonObject {
  return {
    auth: { client: certificate(entry, truthy(atPath(entry, 'verifyClients'))), peer: certificate(entry, true) },
  };
}

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

/** Applies the block `security` and the changes of the secure profile to the values. */
export function securedEtcdValues(given: JsonObject, context: PlatformContext): SecuredValues {
  const { switches } = context;
  const { values, issues } = applySecurityBlock('etcd', given, context, {
    auth: (result, entry) => mergeLayers([result, authLayer(entry)]),
    tls: (result, entry) => mergeLayers([result, tlsLayer(entry)]),
  });
  const withToken = switches['no-random-data'] ? withoutRandomKey(values) : values;
  return { values: switches['spread-replicas'] ? withBudget(withToken) : withToken, issues };
}
