import type { ExtraPodSpec, Toleration } from '../../api/index.ts';
import {
  container,
  ephemeralContainer,
  resourceRequirements,
  seLinuxOptions,
  securityProfile,
  windowsOptions,
} from './container-shapes.ts';
import {
  list,
  listOrNull,
  number,
  optional,
  plain,
  pointer,
  quantities,
  scalars,
  shape,
  struct,
  string,
  stringMap,
  type Shape,
} from './field.ts';
import { labelSelector, localReference, volume } from './volume-shapes.ts';

const requirement = shape({ key: string, operator: string, values: scalars });
const nodeTerm = shape({ matchExpressions: list(requirement), matchFields: list(requirement) });
const podTerm = shape({
  labelSelector: pointer(labelSelector),
  namespaces: scalars,
  topologyKey: string,
  namespaceSelector: pointer(labelSelector),
  matchLabelKeys: scalars,
  mismatchLabelKeys: scalars,
});
const podAffinity = shape({
  requiredDuringSchedulingIgnoredDuringExecution: list(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(shape({ weight: number, podAffinityTerm: struct(podTerm) })),
});
const affinity = shape({
  nodeAffinity: pointer(
    shape({
      requiredDuringSchedulingIgnoredDuringExecution: pointer(shape({ nodeSelectorTerms: listOrNull(nodeTerm) })),
      preferredDuringSchedulingIgnoredDuringExecution: list(shape({ weight: number, preference: struct(nodeTerm) })),
    }),
  ),
  podAffinity: pointer(podAffinity),
  podAntiAffinity: pointer(podAffinity),
});

const podSecurityContext = shape({
  seLinuxOptions: pointer(seLinuxOptions),
  windowsOptions: pointer(windowsOptions),
  runAsUser: optional,
  runAsGroup: optional,
  runAsNonRoot: optional,
  supplementalGroups: scalars,
  supplementalGroupsPolicy: optional,
  fsGroup: optional,
  sysctls: list(shape({ name: string, value: string })),
  fsGroupChangePolicy: optional,
  seccompProfile: pointer(securityProfile),
  appArmorProfile: pointer(securityProfile),
  seLinuxChangePolicy: optional,
});

/** A toleration of a pod. */
export const toleration: Shape<Toleration> = shape({
  key: plain,
  operator: plain,
  value: plain,
  effect: plain,
  tolerationSeconds: optional,
});

/** The fields of a pod spec except `containers`. */
export const podFields = {
  volumes: list(volume),
  initContainers: list(container),
  ephemeralContainers: list(ephemeralContainer),
  restartPolicy: plain,
  terminationGracePeriodSeconds: optional,
  activeDeadlineSeconds: optional,
  dnsPolicy: plain,
  nodeSelector: stringMap,
  serviceAccountName: plain,
  serviceAccount: plain,
  automountServiceAccountToken: optional,
  nodeName: plain,
  hostNetwork: plain,
  hostPID: plain,
  hostIPC: plain,
  shareProcessNamespace: optional,
  securityContext: pointer(podSecurityContext),
  imagePullSecrets: list(localReference),
  hostname: plain,
  subdomain: plain,
  affinity: pointer(affinity),
  schedulerName: plain,
  tolerations: list(toleration),
  hostAliases: list(shape({ ip: string, hostnames: scalars })),
  priorityClassName: plain,
  priority: optional,
  dnsConfig: pointer(shape({ nameservers: scalars, searches: scalars, options: list(shape({ name: plain, value: optional })) })),
  readinessGates: list(shape({ conditionType: string })),
  runtimeClassName: optional,
  enableServiceLinks: optional,
  preemptionPolicy: optional,
  overhead: quantities,
  topologySpreadConstraints: list(
    shape({
      maxSkew: number,
      topologyKey: string,
      whenUnsatisfiable: string,
      labelSelector: pointer(labelSelector),
      minDomains: optional,
      nodeAffinityPolicy: optional,
      nodeTaintsPolicy: optional,
      matchLabelKeys: scalars,
    }),
  ),
  setHostnameAsFQDN: optional,
  os: pointer(shape({ name: string })),
  hostUsers: optional,
  schedulingGates: list(shape({ name: string })),
  resourceClaims: list(shape({ name: string, resourceClaimName: optional, resourceClaimTemplateName: optional })),
  resources: pointer(resourceRequirements),
  hostnameOverride: optional,
};

/** The pod spec that a user sets in `extraPodSpec`, without containers. */
export const podSettings: Shape<Omit<ExtraPodSpec, 'mainContainer' | 'containers'>> = shape(podFields);

const { initContainers, ...others } = podFields;

/** A whole pod spec, with containers first. */
export const podShape: Shape = shape({ initContainers, containers: list(container), ...others });
