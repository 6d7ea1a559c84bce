import type { JsonObject } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy, type Value } from '../go-values.ts';
import { mergeLayers } from '../merge.ts';
import type { PlatformContext } from '../platform-context.ts';
import { secretMode } from '../pod-security.ts';
import { applySecurityBlock, type SecuredValues } from '../security-block.ts';

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

/** Merges a layer into the values. Merging replaces lists, so the user's patches are appended to those of the layer. */
function withPatches(values: JsonObject, layer: JsonObject): JsonObject {
  const merged = mergeLayers([values, layer]);
  const joined = (name: string): JsonObject => {
    const [added, given] = [atPath(layer, name, 'patch'), atPath(values, name, 'patch')];
    return { [name]: { patch: [...(Array.isArray(added) ? added : []), ...(Array.isArray(given) ? given : [])] } };
  };
  return mergeLayers([merged, joined('container'), joined('podTemplate')]);
}

/** Applies the block `security` to the values. */
export function securedNatsValues(values: JsonObject, context: PlatformContext): SecuredValues {
  return applySecurityBlock('nats', values, context, {
    tls: (result, entry) => withPatches(result, tlsLayer(entry)),
    auth: (result, entry) => withPatches(result, authLayer(entry, context)),
  });
}
