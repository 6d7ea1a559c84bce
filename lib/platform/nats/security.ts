import type { Issue } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy, type Value } from '../go-values.ts';
import { mergeLayers } from '../merge.ts';
import type { PlatformContext } from '../platform-context.ts';
import { secretMode } from '../pod-security.ts';

const certificate = (block: Value): JsonObject => ({
  enabled: true,
  secretName: templateString(atPath(block, 'secretName')),
  cert: 'tls.crt',
  key: 'tls.key',
});

/** TLS of clients and servers from one Secret; servers of a cluster always verify each other. */
function tlsLayer(block: Value): JsonObject {
  const secretName = templateString(atPath(block, 'secretName'));
  return {
    tlsCA: { enabled: true, secretName, configMapName: null, key: 'ca.crt' },
    config: {
      nats: { tls: { ...certificate(block), ...(truthy(atPath(block, 'verifyClients')) ? { merge: { verify: true } } : {}) } },
      cluster: { tls: { ...certificate(block), merge: { verify: true } } },
    },
  };
}

/** Authentication from a file in a Secret, which the configuration includes; the values contain no password. */
function authLayer(block: Value, context: PlatformContext): JsonObject {
  const key = templateString(orElse(atPath(block, 'key'), 'auth.conf'));
  return {
    config: { merge: { security$include: `../nats-auth/${key}` } },
    container: {
      patch: [{ op: 'add', path: '/volumeMounts/-', value: { name: 'auth', mountPath: '/etc/nats-auth', readOnly: true } }],
    },
    podTemplate: {
      patch: [
        {
          op: 'add',
          path: '/spec/volumes/-',
          value: { name: 'auth', secret: { secretName: templateString(atPath(block, 'secretName')), ...secretMode(context) } },
        },
      ],
    },
  };
}

const layers: Readonly<Record<string, (block: Value, context: PlatformContext) => JsonObject>> = {
  tls: tlsLayer,
  auth: authLayer,
};

/** Merges a layer into the values. Merging replaces lists, so the user's patches are appended to those of the layer. */
function withPatches(values: JsonObject, layer: JsonObject): JsonObject {
  const merged = mergeLayers([values, layer]);
  const joined = (name: string): JsonObject => {
    const [added, given] = [atPath(layer, name, 'patch'), atPath(values, name, 'patch')];
    return { [name]: { patch: [...(Array.isArray(added) ? added : []), ...(Array.isArray(given) ? given : [])] } };
  };
  return mergeLayers([merged, joined('container'), joined('podTemplate')]);
}

/** Applies the block `security`: the values with authentication and TLS enabled; the issues name missing Secrets. */
export function applySecurityBlock(
  values: JsonObject,
  context: PlatformContext,
): { readonly values: JsonObject; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  let result = values;
  for (const [name, layer] of Object.entries(layers)) {
    const block = atPath(values, 'security', name);
    if (!truthy(atPath(block, 'enabled'))) continue;
    if (truthy(atPath(block, 'secretName'))) result = withPatches(result, layer(block, context));
    else
      issues.push({ path: ['nats', 'security', name, 'secretName'], code: 'required', message: 'must name the Secret to use' });
  }
  return { values: result, issues };
}
