import { container, ephemeralContainer, mainContainer, seLinuxOptions, securityProfile, windowsOptions } from './container.ts';
import {
  atomicList,
  boolean,
  described,
  int32,
  int64,
  kubernetesObject,
  map,
  mapList,
  quantity,
  required,
  string,
  type Schema,
} from './dsl.ts';
import { labelSelector, localReference, nodeSelectorTerm, resourceRequirements, toleration } from './meta.ts';
import { volume } from './volume.ts';

const podAffinityTerm = kubernetesObject('PodAffinityTerm', 'Pods to be scheduled close to or away from.', {
  labelSelector,
  matchLabelKeys: atomicList(string()),
  mismatchLabelKeys: atomicList(string()),
  namespaceSelector: labelSelector,
  namespaces: atomicList(string()),
  topologyKey: required(string()),
});

const podAffinity = kubernetesObject('PodAffinity', 'Affinity or anti-affinity to other pods.', {
  preferredDuringSchedulingIgnoredDuringExecution: atomicList(
    kubernetesObject('WeightedPodAffinityTerm', 'A weighted preference.', {
      podAffinityTerm: required(podAffinityTerm),
      weight: required(int32()),
    }),
  ),
  requiredDuringSchedulingIgnoredDuringExecution: atomicList(podAffinityTerm),
});

const affinity = kubernetesObject('Affinity', 'Scheduling constraints and preferences of the pod.', {
  nodeAffinity: kubernetesObject('NodeAffinity', 'Affinity to nodes.', {
    preferredDuringSchedulingIgnoredDuringExecution: atomicList(
      kubernetesObject('PreferredSchedulingTerm', 'A weighted preference.', {
        preference: required(nodeSelectorTerm),
        weight: required(int32()),
      }),
    ),
    requiredDuringSchedulingIgnoredDuringExecution: kubernetesObject(
      'NodeSelector',
      'Nodes that match one of the terms.',
      { nodeSelectorTerms: required(atomicList(nodeSelectorTerm)) },
      { atomicMap: true },
    ),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

const podSecurityContext = kubernetesObject('PodSecurityContext', 'Security settings of the pod.', {
  appArmorProfile: securityProfile,
  fsGroup: int64(),
  fsGroupChangePolicy: string(),
  runAsGroup: int64(),
  runAsNonRoot: boolean(),
  runAsUser: int64(),
  seLinuxChangePolicy: string(),
  seLinuxOptions,
  seccompProfile: securityProfile,
  supplementalGroups: atomicList(int64()),
  supplementalGroupsPolicy: string(),
  sysctls: atomicList(kubernetesObject('Sysctl', 'A kernel setting.', { name: required(string()), value: required(string()) })),
  windowsOptions,
});

/** The fields of a pod spec, and the main container of the component. */
export const extraPodSpec = kubernetesObject(
  'ExtraPodSpec',
  'Pod settings that override the generated ones: the fields of a pod spec, and `mainContainer` for the component itself.',
  {
    mainContainer: described(
      'Settings of the container that runs the component. They override the generated ones.',
      mainContainer,
    ),
    activeDeadlineSeconds: int64(),
    affinity,
    automountServiceAccountToken: boolean(),
    containers: mapList(container, 'name'),
    dnsConfig: kubernetesObject('PodDNSConfig', 'Name resolution of the pod.', {
      nameservers: atomicList(string()),
      options: atomicList(kubernetesObject('PodDNSConfigOption', 'A resolver option.', { name: string(), value: string() })),
      searches: atomicList(string()),
    }),
    dnsPolicy: string(),
    enableServiceLinks: boolean(),
    ephemeralContainers: mapList(ephemeralContainer, 'name'),
    hostAliases: mapList(
      kubernetesObject('HostAlias', 'Host names of an IP address.', { hostnames: atomicList(string()), ip: required(string()) }),
      'ip',
    ),
    hostIPC: boolean(),
    hostNetwork: boolean(),
    hostPID: boolean(),
    hostUsers: boolean(),
    hostname: string(),
    hostnameOverride: string(),
    imagePullSecrets: mapList(localReference, 'name'),
    initContainers: mapList(container, 'name'),
    nodeName: string(),
    nodeSelector: map(string(), { atomicMap: true }),
    os: kubernetesObject('PodOS', 'Operating system of the pod.', { name: required(string()) }),
    overhead: map(quantity()),
    preemptionPolicy: string(),
    priority: int32(),
    priorityClassName: string(),
    readinessGates: atomicList(
      kubernetesObject('PodReadinessGate', 'A condition the pod must have to be ready.', { conditionType: required(string()) }),
    ),
    resourceClaims: mapList(
      kubernetesObject('PodResourceClaim', 'A claim of dynamic resource allocation.', {
        name: required(string()),
        resourceClaimName: string(),
        resourceClaimTemplateName: string(),
      }),
      'name',
    ),
    resources: resourceRequirements,
    restartPolicy: string(),
    runtimeClassName: string(),
    schedulerName: string(),
    schedulingGates: mapList(
      kubernetesObject('PodSchedulingGate', 'A gate that blocks scheduling.', { name: required(string()) }),
      'name',
    ),
    securityContext: podSecurityContext,
    serviceAccount: string(),
    serviceAccountName: string(),
    setHostnameAsFQDN: boolean(),
    shareProcessNamespace: boolean(),
    subdomain: string(),
    terminationGracePeriodSeconds: int64(),
    tolerations: atomicList(toleration),
    topologySpreadConstraints: mapList(
      kubernetesObject('TopologySpreadConstraint', 'How evenly pods are spread.', {
        labelSelector,
        matchLabelKeys: atomicList(string()),
        maxSkew: required(int32()),
        minDomains: int32(),
        nodeAffinityPolicy: string(),
        nodeTaintsPolicy: string(),
        topologyKey: required(string()),
        whenUnsatisfiable: required(string()),
      }),
      'topologyKey',
      'whenUnsatisfiable',
    ),
    volumes: mapList(volume, 'name'),
  },
);

const { mainContainer: _, ...podFields } = extraPodSpec.properties ?? {};

/** The pod spec of Kubernetes. */
export const podSpec: Schema = { type: 'object', properties: podFields };
