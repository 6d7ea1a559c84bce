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

/** What the two switches of the block `security` mean in the chart's own values. */
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

/** The kind of token where no signing key is given: `simple` with authentication, none without. */
function withoutRandomKey(values: JsonObject): JsonObject {
  const hasKey = truthy(atPath(values, 'auth.token.privateKey.existingSecret')) || atPath(values, 'auth.token.type') !== 'jwt';
  if (!truthy(atPath(values, 'auth.rbac.create')))
    return hasKey ? values : mergeLayers([values, { auth: { token: { enabled: false } } }]);
  // members that are given no kind of token take simple ones, and jobs must log in all the same
  if (hasKey && truthy(atPath(values, 'auth.token.enabled'))) return values;
  return mergeLayers([values, { auth: { token: { enabled: true, type: 'simple' } } }]);
}

/** Several members keep a quorum: a budget guards them, and only one of its two numbers may be set. */
function withBudget(values: JsonObject): JsonObject {
  const several = Number(templateString(atPath(values, 'replicaCount'))) > 1;
  const pdb = {
    create: several || truthy(atPath(values, 'pdb.create')),
    ...(truthy(atPath(values, 'pdb.maxUnavailable')) ? { minAvailable: '' } : {}),
  };
  return mergeLayers([values, { pdb }]);
}

/** Carries out what the secure profile changes in the values themselves, and says what is missing for it. */
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
