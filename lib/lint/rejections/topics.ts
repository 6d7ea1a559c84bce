import type { Path } from '../../json/index.ts';
import type { RuleDescription } from '../rule.ts';

/** A group of rejections: its entry in the registry, the fields it is about, and what to change. */
interface Topic extends RuleDescription {
  readonly fields: readonly RegExp[];
  readonly change: string;
}

const refused =
  'The operator renders the object, the API server refuses it, and the operator tries again for ever. The graph stays pending without a word about the reason in its status.';

/** Every group of rejections; the last takes what no other does. */
export const topics: readonly Topic[] = [
  {
    id: 'DYN-API-001',
    severity: 'error',
    fields: [/^metadata\.(?:name|namespace)$/],
    change: 'choose a name from which a valid one follows',
    title: 'name that the API server refuses',
    why: refused,
    allowed: 'Lower-case letters, digits and dashes, up to 63 characters for Services and up to 253 for most others.',
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
      'Keys of an optional DNS prefix and a name up to 63 characters; label values up to 63 characters of letters, digits, dashes, dots and underscores; pods that match their Deployment’s selector.',
    fix: 'Shorten or correct the label.',
  },
  {
    id: 'DYN-API-003',
    severity: 'error',
    fields: [/ontainers\.\d+\.(?:image|imagePullPolicy|name)$/, /ontainers$/],
    change: 'set it in extraPodSpec.mainContainer',
    title: 'container without an image, or with an invalid name',
    why: refused,
    allowed: 'An image for every container, names that are DNS labels and unique in the pod.',
    fix: 'Set extraPodSpec.mainContainer.image.',
  },
  {
    id: 'DYN-API-004',
    severity: 'error',
    fields: [/Probe(?:\.|$)/, /\.lifecycle(?:\.|$)/],
    change: 'give the probe exactly one handler and numbers in range',
    title: 'probe or hook that the API server refuses',
    why: `${refused} A probe below mainContainer is merged with the default one, so another handler makes two.`,
    allowed: 'Exactly one of exec, httpGet, tcpSocket, grpc; numbers not negative; successThreshold 1 except for readiness.',
    fix: 'Put the whole probe on the component: livenessProbe or readinessProbe beside extraPodSpec.',
  },
  {
    id: 'DYN-API-005',
    severity: 'error',
    fields: [/\.volumes(?:\.|$)/, /\.volume(?:Mounts|Devices)(?:\.|$)/],
    change: 'name each volume and mount path once, and mount only volumes that exist',
    title: 'volume or mount that the API server refuses',
    why: refused,
    allowed: 'Volume names and mount paths once each, one source per volume, mounts of volumes that exist.',
    fix: 'Remove the second mount; set sharedMemory.disabled when /dev/shm is mounted by hand.',
  },
  {
    id: 'DYN-API-006',
    severity: 'error',
    fields: [/\.resources(?:\.|$)/, /\.resourceClaims(?:\.|$)/, /sizeLimit$/],
    change: 'correct the quantity',
    title: 'resources that the API server refuses',
    why: refused,
    allowed:
      'Requests up to the limit; GPUs and other extended resources whole numbers with request equal to limit; claims the pod declares.',
    fix: 'Correct requests and limits.',
  },
  {
    id: 'DYN-API-007',
    severity: 'error',
    fields: [/\.env(?:From)?(?:\.|$)/],
    change: 'correct the variable',
    title: 'environment variable that the API server refuses',
    why: refused,
    allowed: 'A name, and a value or exactly one source; a Secret or ConfigMap named where a whole one is taken.',
    fix: 'Correct the variable, or name the Secret in envFromSecret.',
  },
  {
    id: 'DYN-API-008',
    severity: 'error',
    fields: [
      /\.(?:affinity|tolerations|topologySpreadConstraints|nodeSelector|nodeName|priorityClassName|preemptionPolicy|schedulingGates|runtimeClassName)(?:\.|$)/,
    ],
    change: 'correct the placement',
    title: 'placement that the API server refuses',
    why: refused,
    allowed:
      'Tolerations with Exists or Equal and a known effect; affinity terms with a topology key, known operators and weights from 1 to 100.',
    fix: 'Correct the term.',
  },
  {
    id: 'DYN-API-009',
    severity: 'error',
    fields: [],
    change: 'correct the field',
    title: 'field that the API server refuses',
    why: refused,
    allowed: 'What the Kubernetes API reference of the field says.',
    fix: 'Correct the field.',
  },
];

/** The registry id of a rejection about a field. */
export function topicOf(field: Path): string {
  const text = field.join('.');
  return (topics.find((topic) => topic.fields.some((pattern) => pattern.test(text))) ?? topics.at(-1))?.id ?? 'DYN-API-009';
}
