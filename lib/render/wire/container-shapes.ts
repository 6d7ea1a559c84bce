import type { Container, EnvVar, Probe, ResourceClaim, ResourceRequirements } from '../../api/index.ts';
import {
  list,
  nullable,
  number,
  optional,
  plain,
  pointer,
  quantities,
  plainQuantity,
  defaulted,
  scalars,
  shape,
  struct,
  string,
  type Shape,
} from './field.ts';

const keySelector = shape({ name: plain, key: string, optional });
const optionalReference = shape({ name: plain, optional });

/** A reference to a field of the pod. */
export const fieldReference = shape({ apiVersion: plain, fieldPath: string });

/** A reference to a resource of a container. */
export const resourceFieldReference = shape({ containerName: plain, resource: string, divisor: plainQuantity });

/** An environment variable. */
export const envVar: Shape<EnvVar> = shape({
  name: string,
  value: plain,
  valueFrom: pointer(
    shape({
      fieldRef: pointer(fieldReference),
      resourceFieldRef: pointer(resourceFieldReference),
      configMapKeyRef: pointer(keySelector),
      secretKeyRef: pointer(keySelector),
      fileKeyRef: pointer(shape({ volumeName: string, path: string, key: string, optional })),
    }),
  ),
});

/** A key of a ConfigMap. */
export const configMapKeySelector = keySelector;

/** A reference to a resource claim of the pod. */
export const resourceClaim: Shape<ResourceClaim> = shape({ name: string, request: plain });

/** Requests, limits and resource claims of a container. */
export const resourceRequirements: Shape<ResourceRequirements> = shape({
  limits: quantities,
  requests: quantities,
  claims: list(resourceClaim),
});

const exec = shape({ command: scalars });
const httpGet = shape({
  path: plain,
  port: number,
  host: plain,
  scheme: plain,
  httpHeaders: list(shape({ name: string, value: string })),
});
const tcpSocket = shape({ port: number, host: plain });

/** A liveness, readiness or startup probe. */
export const probe: Shape<Probe> = shape({
  exec: pointer(exec),
  httpGet: pointer(httpGet),
  tcpSocket: pointer(tcpSocket),
  grpc: pointer(shape({ port: number, service: nullable })),
  initialDelaySeconds: plain,
  timeoutSeconds: plain,
  periodSeconds: plain,
  successThreshold: plain,
  failureThreshold: plain,
  terminationGracePeriodSeconds: optional,
});

const lifecycleHandler = shape({
  exec: pointer(exec),
  httpGet: pointer(httpGet),
  tcpSocket: pointer(tcpSocket),
  sleep: pointer(shape({ seconds: number })),
});

/** SELinux labels. */
export const seLinuxOptions = shape({ user: plain, role: plain, type: plain, level: plain });

/** A seccomp or AppArmor profile. */
export const securityProfile = shape({ type: string, localhostProfile: optional });

/** Windows security settings. */
export const windowsOptions = shape({
  gmsaCredentialSpecName: optional,
  gmsaCredentialSpec: optional,
  runAsUserName: optional,
  hostProcess: optional,
});

const containerSecurityContext = shape({
  capabilities: pointer(shape({ add: scalars, drop: scalars })),
  privileged: optional,
  seLinuxOptions: pointer(seLinuxOptions),
  windowsOptions: pointer(windowsOptions),
  runAsUser: optional,
  runAsGroup: optional,
  runAsNonRoot: optional,
  readOnlyRootFilesystem: optional,
  allowPrivilegeEscalation: optional,
  procMount: optional,
  seccompProfile: pointer(securityProfile),
  appArmorProfile: pointer(securityProfile),
});

const containerFields = {
  name: string,
  image: plain,
  imagePullPolicy: plain,
  command: scalars,
  args: scalars,
  workingDir: plain,
  ports: list(shape({ name: plain, hostPort: plain, containerPort: number, protocol: defaulted('TCP'), hostIP: plain })),
  envFrom: list(shape({ prefix: plain, configMapRef: pointer(optionalReference), secretRef: pointer(optionalReference) })),
  env: list(envVar),
  resources: struct(resourceRequirements),
  resizePolicy: list(shape({ resourceName: string, restartPolicy: string })),
  restartPolicy: optional,
  restartPolicyRules: list(shape({ action: plain, exitCodes: pointer(shape({ operator: plain, values: scalars })) })),
  volumeMounts: list(
    shape({
      name: string,
      mountPath: string,
      readOnly: plain,
      recursiveReadOnly: optional,
      subPath: plain,
      mountPropagation: optional,
      subPathExpr: plain,
    }),
  ),
  volumeDevices: list(shape({ name: string, devicePath: string })),
  livenessProbe: pointer(probe),
  readinessProbe: pointer(probe),
  startupProbe: pointer(probe),
  lifecycle: pointer(shape({ postStart: pointer(lifecycleHandler), preStop: pointer(lifecycleHandler), stopSignal: optional })),
  terminationMessagePath: plain,
  terminationMessagePolicy: plain,
  securityContext: pointer(containerSecurityContext),
  stdin: plain,
  stdinOnce: plain,
  tty: plain,
};

/** A container. */
export const container: Shape<Container> = shape(containerFields);

/** An ephemeral container. */
export const ephemeralContainer = shape({ ...containerFields, targetContainerName: plain });
