import {
  atomicList,
  boolean,
  int32,
  int64,
  intOrString,
  kubernetesObject,
  list,
  mapList,
  required,
  string,
  type Fields,
} from './dsl.ts';
import { fieldReference, keySelector, optionalReference, resourceFieldReference, resourceRequirements } from './meta.ts';

const fileKeySelector = kubernetesObject(
  'FileKeySelector',
  'A key of an environment file in a volume.',
  {
    key: required(string()),
    optional: boolean(undefined, { default: false }),
    path: required(string()),
    volumeName: required(string()),
  },
  { atomicMap: true },
);

/** One environment variable. */
export const envVar = kubernetesObject('EnvVar', 'One environment variable.', {
  name: required(string('Name of the variable.')),
  value: string('Literal value; `$(NAME)` refers to an earlier variable.'),
  valueFrom: kubernetesObject('EnvVarSource', 'Where the value of a variable comes from.', {
    configMapKeyRef: keySelector,
    fieldRef: fieldReference,
    fileKeyRef: fileKeySelector,
    resourceFieldRef: resourceFieldReference,
    secretKeyRef: keySelector,
  }),
});

const exec = kubernetesObject('ExecAction', 'A command run in the container.', { command: atomicList(string()) });

const httpGet = kubernetesObject('HTTPGetAction', 'An HTTP request to the container.', {
  host: string(),
  httpHeaders: atomicList(
    kubernetesObject('HTTPHeader', 'A header of an HTTP request.', { name: required(string()), value: required(string()) }),
  ),
  path: string(),
  port: required(intOrString('Number or name of the port.')),
  scheme: string('`HTTP` or `HTTPS`.'),
});

const tcpSocket = kubernetesObject('TCPSocketAction', 'A connection to a port of the container.', {
  host: string(),
  port: required(intOrString('Number or name of the port.')),
});

/** A check of a container's health. */
export const probe = kubernetesObject('Probe', 'A check of the health of a container.', {
  exec,
  failureThreshold: int32('Failures in a row that count as failed.'),
  grpc: kubernetesObject('GRPCAction', 'A gRPC health check.', {
    port: required(int32()),
    service: string(undefined, { default: '' }),
  }),
  httpGet,
  initialDelaySeconds: int32('Seconds from the start of the container to the first check.'),
  periodSeconds: int32('Seconds between checks.'),
  successThreshold: int32('Successes in a row that count as recovered.'),
  tcpSocket,
  terminationGracePeriodSeconds: int64('Seconds the container has to stop after a failed check.'),
  timeoutSeconds: int32('Seconds after which a check counts as failed.'),
});

const lifecycleHandler = kubernetesObject('LifecycleHandler', 'An action on a lifecycle event of a container.', {
  exec,
  httpGet,
  sleep: kubernetesObject('SleepAction', 'A pause.', { seconds: required(int64()) }),
  tcpSocket,
});

/** SELinux labels. */
export const seLinuxOptions = kubernetesObject('SELinuxOptions', 'SELinux labels.', {
  level: string(),
  role: string(),
  type: string(),
  user: string(),
});

/** A seccomp or AppArmor profile. */
export const securityProfile = kubernetesObject('SecurityProfile', 'A seccomp or AppArmor profile.', {
  localhostProfile: string(),
  type: required(string('`RuntimeDefault`, `Unconfined` or `Localhost`.')),
});

/** Security settings on Windows nodes. */
export const windowsOptions = kubernetesObject('WindowsOptions', 'Security settings on Windows nodes.', {
  gmsaCredentialSpec: string(),
  gmsaCredentialSpecName: string(),
  hostProcess: boolean(),
  runAsUserName: string(),
});

const containerSecurityContext = kubernetesObject('ContainerSecurityContext', 'Security settings of a container.', {
  allowPrivilegeEscalation: boolean(),
  appArmorProfile: securityProfile,
  capabilities: kubernetesObject('Capabilities', 'Capabilities added and dropped.', {
    add: atomicList(string()),
    drop: atomicList(string()),
  }),
  privileged: boolean(),
  procMount: string(),
  readOnlyRootFilesystem: boolean(),
  runAsGroup: int64(),
  runAsNonRoot: boolean(),
  runAsUser: int64(),
  seLinuxOptions,
  seccompProfile: securityProfile,
  windowsOptions,
});

const fields: Fields = {
  name: string('Name of the container, unique in the pod.'),
  args: atomicList(string()),
  command: atomicList(string()),
  env: mapList(envVar, 'name'),
  envFrom: atomicList(
    kubernetesObject('EnvFromSource', 'A ConfigMap or Secret whose keys become variables.', {
      configMapRef: optionalReference,
      prefix: string(),
      secretRef: optionalReference,
    }),
  ),
  image: string('Image of the container.'),
  imagePullPolicy: string('`Always`, `IfNotPresent` or `Never`.'),
  lifecycle: kubernetesObject('Lifecycle', 'Actions at the start and the end of a container.', {
    postStart: lifecycleHandler,
    preStop: lifecycleHandler,
    stopSignal: string(),
  }),
  livenessProbe: probe,
  ports: mapList(
    kubernetesObject('ContainerPort', 'A port of a container.', {
      containerPort: required(int32()),
      hostIP: string(),
      hostPort: int32(),
      name: string(),
      protocol: string(undefined, { default: 'TCP' }),
    }),
    'containerPort',
    'protocol',
  ),
  readinessProbe: probe,
  resizePolicy: atomicList(
    kubernetesObject('ContainerResizePolicy', 'How a resize of a resource affects the container.', {
      resourceName: required(string()),
      restartPolicy: required(string()),
    }),
  ),
  resources: resourceRequirements,
  restartPolicy: string(),
  restartPolicyRules: atomicList(
    kubernetesObject('ContainerRestartRule', 'What to do on an exit.', {
      action: required(string()),
      exitCodes: kubernetesObject('ContainerRestartExitCodes', 'Exit codes that a rule applies to.', {
        operator: required(string()),
        values: list(int32(), { listType: 'set' }),
      }),
    }),
  ),
  securityContext: containerSecurityContext,
  startupProbe: probe,
  stdin: boolean(),
  stdinOnce: boolean(),
  terminationMessagePath: string(),
  terminationMessagePolicy: string(),
  tty: boolean(),
  volumeDevices: mapList(
    kubernetesObject('VolumeDevice', 'A block device in a container.', {
      devicePath: required(string()),
      name: required(string()),
    }),
    'devicePath',
  ),
  volumeMounts: mapList(
    kubernetesObject('ContainerVolumeMount', 'A volume mounted in a container.', {
      mountPath: required(string()),
      mountPropagation: string(),
      name: required(string()),
      readOnly: boolean(),
      recursiveReadOnly: string(),
      subPath: string(),
      subPathExpr: string(),
    }),
    'mountPath',
  ),
  workingDir: string(),
};

/** The main container of a component; its name may be omitted. */
export const mainContainer = kubernetesObject(
  'MainContainer',
  'The main container of the component; its name may be omitted.',
  fields,
);

/** A container of a pod. */
export const container = kubernetesObject('Container', 'A container of the pod.', {
  ...fields,
  name: required(string('Name of the container, unique in the pod.')),
});

/** A container added to a running pod. */
export const ephemeralContainer = kubernetesObject('EphemeralContainer', 'A container added to a running pod for debugging.', {
  ...fields,
  name: required(string('Name of the container, unique in the pod.')),
  targetContainerName: string(),
});
