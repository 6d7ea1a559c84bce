import type { KubernetesObject } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { rootTimes, servingTimes } from './certificate-times.ts';
import type { OperatorRelease } from './release.ts';

/** Issuers and certificates of cert-manager: a self-signed root and the serving certificate, or only the latter from an existing issuer. */
export function certManagerObjects(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context } = scope;
  if (!truthy(atPath(values, 'webhook.enabled')) || scope.certificates !== 'cert-manager') return [];
  const short = context.switches['certificate-names'];
  const object = (kind: 'Issuer' | 'Certificate', objectName: string, spec: JsonObject): KubernetesObject => ({
    apiVersion: 'cert-manager.io/v1',
    kind,
    metadata: { name: objectName, namespace: context.namespace, labels: scope.componentLabels('webhook') },
    spec,
  });
  const service = `${name}-webhook-service`;
  const dnsNames = [
    service,
    `${service}.${context.namespace}.svc`,
    `${service}.${context.namespace}.svc.${templateString(values['kubernetesClusterDomain'])}`,
  ];
  const given = context.settings.certificates.issuerRef;
  const issuerRef =
    given === undefined
      ? { kind: 'Issuer', name: `${name}-ca-issuer` }
      : { group: given.group, kind: given.kind, name: given.name };
  const hasUsages = context.switches['certificate-usages'];
  const rotated = hasUsages ? { rotationPolicy: 'Always' } : {};
  const root = [
    object('Issuer', `${name}-selfsigned-issuer`, { selfSigned: {} }),
    object('Certificate', `${name}-root-ca`, {
      isCA: true,
      // A common name has at most 64 characters (RFC 5280, appendix A.1, ub-common-name); nothing reads that of a root.
      commonName: short ? 'dynamo-webhook-root-ca' : `${name}-root-ca`,
      secretName: `${name}-root-ca-secret`,
      ...rootTimes(scope),
      privateKey: { algorithm: 'RSA', size: 4096, ...rotated },
      ...(hasUsages ? { usages: ['digital signature', 'cert sign', 'crl sign'] } : {}),
      issuerRef: { kind: 'Issuer', name: `${name}-selfsigned-issuer` },
    }),
    object('Issuer', `${name}-ca-issuer`, { ca: { secretName: `${name}-root-ca-secret` } }),
  ];
  const serving = object('Certificate', `${name}-serving-cert`, {
    secretName: templateString(atPath(values, 'webhook.certificateSecret.name')),
    ...servingTimes(scope),
    ...(short ? {} : { commonName: `${service}.${context.namespace}.svc` }),
    dnsNames,
    ...(hasUsages ? { privateKey: rotated, usages: ['digital signature', 'key encipherment', 'server auth'] } : {}),
    issuerRef,
  });
  return given === undefined ? [...root, serving] : [serving];
}
