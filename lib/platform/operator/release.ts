import type { JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { chartName, fullName } from '../release-names.ts';
import type { CertificateMode, OperatorKind } from '../settings.ts';
import { chartVersion, platformVersion } from './defaults.ts';
import { versionLabel } from '../version-label.ts';
import { releaseOfTag } from './published-releases.ts';

type Labels = Readonly<Record<string, string>>;

/** The effective values, context, names and labels that all operator objects share. */
export interface OperatorRelease {
  readonly values: JsonObject;
  readonly context: PlatformContext;
  /** Full name, the prefix of most objects. */
  readonly name: string;
  /** Whether the operator manages one namespace only. */
  readonly restricted: boolean;
  /** The managed namespace of a restricted operator, else the release namespace. */
  readonly target: string;
  /** Namespace of the accounts and roles of graphs of a restricted operator: the managed namespace; the release namespace in the original. */
  readonly home: string;
  readonly kind: OperatorKind;
  /** Image of the operator before its registry is replaced. */
  readonly image: string;
  /** Release of the original whose flags the operator knows; undefined for the operator of this package, which knows all. */
  readonly published: string | undefined;
  /** Version the operator reports. */
  readonly version: string;
  readonly certificates: CertificateMode;
  /** Name of the operator's ServiceAccount. */
  readonly account: string;
  /** Labels every object has. */
  readonly labels: Labels;
  /** Labels of one component of the operator (`rbac`, `webhook` ...). */
  readonly componentLabels: (component: string) => Labels;
  /** Labels that select the operator's pods. */
  readonly selector: Labels;
  /** Name of the image pull Secret for graphs, when registry handling is on. */
  readonly registrySecret: string | undefined;
}

function certificateMode(values: JsonObject, context: PlatformContext): CertificateMode {
  if (context.settings.certificates.mode !== undefined) return context.settings.certificates.mode;
  if (truthy(atPath(values, 'webhook.certManager.enabled'))) return 'cert-manager';
  if (truthy(atPath(values, 'webhook.certificateSecret.external'))) return 'external';
  if (context.settings.operator.kind === 'dynamo-cdk8s') return 'self-managed';
  return context.switches['no-hooks'] ? 'cert-manager' : 'jobs';
}

/** Derives names, labels and modes from the operator's effective values. */
export function operatorRelease(values: JsonObject, context: PlatformContext): OperatorRelease {
  const chart = {
    release: context.release,
    chart: 'dynamo-operator',
    nameOverride: values['nameOverride'],
    fullnameOverride: values['fullnameOverride'],
  };
  const name = fullName(chart);
  const restricted = truthy(atPath(values, 'namespaceRestriction.enabled'));
  const targetNamespace = atPath(values, 'namespaceRestriction.targetNamespace');
  const target = restricted && truthy(targetNamespace) ? templateString(targetNamespace) : context.namespace;
  const current = context.switches['operator-version'];
  const tag = atPath(values, 'controllerManager.manager.image.tag');
  const imageTag = truthy(tag)
    ? templateString(tag)
    : current || context.switches['release-flags']
      ? platformVersion
      : chartVersion;
  const { kind, image: ownImage = '' } = context.settings.operator;
  const own = kind === 'dynamo-cdk8s';
  const version = own ? context.tagOf(ownImage) : current ? (imageTag.split('@', 1)[0] ?? '') : imageTag;
  const selector = { 'app.kubernetes.io/name': chartName(chart), 'app.kubernetes.io/instance': context.release };
  const labels = {
    'helm.sh/chart': `dynamo-operator-${chartVersion}`,
    ...selector,
    'app.kubernetes.io/version': current ? versionLabel(version) : chartVersion,
    'app.kubernetes.io/managed-by': context.managedBy,
  };
  const existing = atPath(values, 'dynamo.dockerRegistry.existingSecretName');
  return {
    values,
    context,
    name,
    restricted,
    target,
    home: context.switches['target-namespace'] ? target : context.namespace,
    kind,
    image: own ? ownImage : `${templateString(atPath(values, 'controllerManager.manager.image.repository'))}:${imageTag}`,
    published: own ? undefined : (releaseOfTag(imageTag) ?? platformVersion),
    version,
    certificates: certificateMode(values, context),
    account: `${name}-controller-manager`,
    labels,
    componentLabels: (component) => ({
      'app.kubernetes.io/component': component,
      'app.kubernetes.io/created-by': 'dynamo-operator',
      'app.kubernetes.io/part-of': 'dynamo-operator',
      ...labels,
    }),
    selector: { 'control-plane': 'controller-manager', ...selector },
    registrySecret: truthy(atPath(values, 'dynamo.dockerRegistry.useKubernetesSecret'))
      ? truthy(existing)
        ? templateString(existing)
        : `${name}-regcred`
      : undefined,
  };
}
