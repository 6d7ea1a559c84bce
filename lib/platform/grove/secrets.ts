import type { JsonObject } from '../../json/index.ts';
import type { GroveRelease } from './release.ts';

/** The Secret that the operator writes its certificate into. Flux does not overwrite an existing one, so that a sync keeps the certificate. */
export function certificateSecret({ labels, context }: GroveRelease): JsonObject {
  // https://fluxcd.io/flux/components/kustomize/kustomizations/#controlling-the-apply-behavior-of-resources
  const once = { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'grove-webhook-server-cert',
      labels: labels('webhookServerSecret'),
      ...(context.switches['no-random-data'] ? { annotations: once } : {}),
    },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': '', 'tls.key': '' },
  };
}
