import type { Path } from '../../json/index.ts';
import type { RuleDescription } from '../rule.ts';

/** A group of rejections: its entry in the registry, the fields it covers, and the change to make. */
interface Topic extends RuleDescription {
  readonly fields: readonly RegExp[];
  readonly change: string;
  /** Changes for some of the rejections: those whose path, kind and message, such as `spec.pvcs[0].name PersistentVolumeClaim metadata.name: ...`, match. */
  readonly changes?: readonly (readonly [RegExp, string])[];
}

const refused =
  'The operator renders the object, the API server refuses it, and the operator retries forever. The graph stays pending and its status does not state the reason.';

/** The group of names that the API server refuses. */
export const nameTopic = 'DYN-API-001';

/** Every group of rejections. A field is in the first that covers it, and in the last if none does. */
export const topics: readonly Topic[] = [
  {
    id: nameTopic,
    severity: 'error',
    fields: [/^metadata\.(?:name|namespace)$/],
    change: 'rename the graph or the service so that the name of the object is valid',
    changes: [
      [/^\S+ PersistentVolumeClaim /, 'rename the claim'],
      [/^metadata\.name (?:Job|ConfigMap) /, 'rename the request so that the name of the object is valid'],
      [
        /^metadata\.name (?:DynamoComponentDeployment|Deployment|LeaderWorkerSet|PodGroup|Service|Ingress) /,
        'rename the component so that the names of its objects are valid',
      ],
    ],
    title: 'name that the API server refuses',
    why: refused,
    allowed:
      'Lower-case letters, digits and dashes, up to 63 characters for Services and up to 253 for most other kinds: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/.',
    fix: 'Rename the graph or the service.',
  },
  {
    id: 'DYN-API-002',
    severity: 'error',
    fields: [/(?:^|\.)(?:labels|annotations|matchLabels|selector)(?:\.|$)/],
    change: 'correct the label or annotation',
    title: 'label or annotation that the API server refuses',
    why: refused,
    allowed:
      'Keys with an optional DNS prefix and a name of up to 63 characters; label values of up to 63 letters, digits, dashes, dots and underscores; pod labels that match the selector of the Deployment. See https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/.',
    fix: 'Shorten or correct the label or annotation.',
  },
  {
    id: 'DYN-API-003',
    severity: 'error',
    fields: [/ontainers\.\d+\.(?:image|imagePullPolicy|name)$/, /ontainers$/],
    change: 'set it in extraPodSpec.mainContainer',
    changes: [
      [/: Duplicate value: /, 'give every container of the pod its own name'],
      [/: Forbidden: /, 'remove it'],
      [/^[^ [\]]*\.(?:initC|c)ontainers\[/, 'set it in this container'],
    ],
    title: 'container without an image, or with an invalid name',
    why: refused,
    allowed: 'An image for every container; container names that are DNS labels and unique in the pod.',
    fix: 'Set extraPodSpec.mainContainer.image.',
  },
  {
    id: 'DYN-API-004',
    severity: 'error',
    fields: [/Probe(?:\.|$)/, /\.lifecycle(?:\.|$)/],
    change: 'set exactly one handler, and numbers within their range',
    changes: [[/\.port: /, 'use a number from 1 to 65535 without quotes, or the name of a port of the container']],
    title: 'probe or hook that the API server refuses',
    why: `${refused} A mainContainer probe is merged with the default probe, so a different handler results in two handlers.`,
    allowed:
      'Exactly one of exec, httpGet, tcpSocket and grpc; no negative number; successThreshold 1, except on a readiness probe.',
    fix: 'Set the complete livenessProbe or readinessProbe on the component, next to extraPodSpec.',
  },
  {
    id: 'DYN-API-005',
    severity: 'error',
    fields: [/\.volumes(?:\.\d+)?(?:\.(?!emptyDir\.sizeLimit$)\D|$)/, /\.volume(?:Mounts|Devices)(?:\.|$)/],
    change: 'correct the volume or the mount',
    changes: [
      [/: Required value/, 'set it'],
      [
        /: (?:Duplicate value|Not found): |: must be unique/,
        'use each volume name and mount path once, and mount only volumes that exist',
      ],
    ],
    title: 'volume or mount that the API server refuses',
    why: refused,
    allowed: 'Unique volume names and mount paths, one source per volume, mounts of volumes that exist.',
    fix: 'Remove the duplicate mount. Set sharedMemory.disabled to true when extraPodSpec mounts /dev/shm.',
  },
  {
    id: 'DYN-API-006',
    severity: 'error',
    fields: [/\.resources(?:\.|$)/, /\.resourceClaims(?:\.|$)/, /sizeLimit$/],
    change: 'correct the resources',
    title: 'resources that the API server refuses',
    why: refused,
    allowed:
      'Requests up to the limit; whole numbers for GPUs and other extended resources, with the request equal to the limit; claims that the pod declares. See https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/.',
    fix: 'Correct the requests and limits.',
  },
  {
    id: 'DYN-API-007',
    severity: 'error',
    fields: [/\.env(?:From)?(?:\.|$)/],
    change: 'correct the variable',
    title: 'environment variable that the API server refuses',
    why: refused,
    allowed: 'A name, and either a value or exactly one source; in envFrom, the name of a Secret or ConfigMap.',
    fix: 'Correct the variable, or set envFromSecret to the name of the Secret.',
  },
  {
    id: 'DYN-API-008',
    severity: 'error',
    fields: [
      /\.(?:affinity|tolerations|topologySpreadConstraints|nodeSelector|nodeName|priorityClassName|preemptionPolicy|schedulingGates|runtimeClassName)(?:\.|$)/,
    ],
    change: 'correct the scheduling field',
    title: 'scheduling field that the API server refuses',
    why: refused,
    allowed:
      'Tolerations with the operator Exists or Equal and a known effect; pod affinity terms with a topologyKey; known operators; weights from 1 to 100.',
    fix: 'Correct the field.',
  },
  {
    id: 'DYN-API-009',
    severity: 'error',
    fields: [],
    change: 'correct the field',
    changes: [[/\.serviceAccountName: /, 'set extraPodSpec.serviceAccountName to the name of an account']],
    title: 'field that the API server refuses',
    why: refused,
    allowed: 'The values in the Kubernetes API reference: https://kubernetes.io/docs/reference/kubernetes-api/.',
    fix: 'Correct the field.',
  },
];

/** The registry id for a rejected field. */
export function topicOf(field: Path): string {
  const path = field.join('.');
  return (topics.find((topic) => topic.fields.some((pattern) => pattern.test(path))) ?? topics.at(-1))?.id ?? 'DYN-API-009';
}
