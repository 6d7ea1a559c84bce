import type { KubernetesObject } from '../../api/index.ts';
import type { Json, JsonObject } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { webhookConfigurationName } from './arguments.ts';
import { caInjectScript, certificateScript, keygenScript, keySecretScript } from './hook-scripts.ts';
import { binding, role, serviceAccount } from './rbac.ts';
import { policyRule, type PolicyRule } from '../policy-rule.ts';
import type { OperatorRelease } from './release.ts';

type Labels = Readonly<Record<string, string>>;

function hook(events: string, weight: string, deletePolicy?: string): Labels {
  return {
    'helm.sh/hook': events,
    'helm.sh/hook-weight': weight,
    ...(deletePolicy === undefined ? {} : { 'helm.sh/hook-delete-policy': deletePolicy }),
  };
}

/** Tolerations and affinity of the operator's pod, which its Jobs share. */
function scheduling(tolerations: Json | undefined, affinity: Json | undefined): JsonObject {
  return { ...(truthy(tolerations) ? { tolerations } : {}), ...(truthy(affinity) ? { affinity } : {}) };
}

function managerScheduling({ values }: OperatorRelease): JsonObject {
  return scheduling(atPath(values, 'controllerManager.tolerations'), atPath(values, 'controllerManager.affinity'));
}

interface CertificateJob {
  readonly name: string;
  readonly container: string;
  readonly script: string;
  readonly annotations: Labels;
  readonly backoffLimit: number;
  readonly readOnlyRootFilesystem: boolean;
}

function certificateJob(scope: OperatorRelease, job: CertificateJob): KubernetesObject {
  const { values, context } = scope;
  const labels = scope.componentLabels('webhook');
  const image = atPath(values, 'webhook.certGenerator.image');
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${job.name}-1`, namespace: context.namespace, labels, annotations: job.annotations },
    spec: {
      backoffLimit: job.backoffLimit,
      template: {
        metadata: { name: job.name, labels },
        spec: {
          serviceAccountName: job.name,
          restartPolicy: 'OnFailure',
          ...managerScheduling(scope),
          containers: [
            {
              name: job.container,
              image: context.image(`${templateString(atPath(image, 'repository'))}:${templateString(atPath(image, 'tag'))}`),
              imagePullPolicy: yamlScalar(atPath(image, 'pullPolicy')),
              env: [{ name: 'OPENSSL_CONF', value: '/tmp/openssl.cnf' }],
              command: ['/bin/bash', '-c', job.script],
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
                readOnlyRootFilesystem: job.readOnlyRootFilesystem,
                runAsNonRoot: true,
                runAsUser: 1001,
              },
            },
          ],
        },
      },
    },
  };
}

/** A ServiceAccount with a Role and RoleBinding of the same name; all three are Helm hooks if hook annotations are given. */
function hookAccount(
  scope: OperatorRelease,
  name: string,
  labels: Labels,
  annotations: Labels | undefined,
  rules: readonly PolicyRule[],
): readonly KubernetesObject[] {
  const namespace = scope.context.namespace;
  const hookFields = annotations === undefined ? {} : { annotations };
  return [
    serviceAccount({ name, namespace, labels, ...hookFields }),
    role(name, namespace, labels, rules, annotations),
    binding({ name, namespace, labels, role: name, account: name, accountNamespace: namespace, ...hookFields }),
  ];
}

/** The original's two Jobs that create the webhook certificate before an install and inject its CA after it. */
export function certificateJobs(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context } = scope;
  if (!truthy(atPath(values, 'webhook.enabled')) || scope.certificates !== 'jobs') return [];
  const labels = scope.componentLabels('webhook');
  const secret = templateString(atPath(values, 'webhook.certificateSecret.name'));
  const configuration = webhookConfigurationName(scope);
  const policy = 'before-hook-creation';
  const [generate, inject] = [`${name}-webhook-cert-gen`, `${name}-webhook-ca-inject`];
  const after = hook('post-install,post-upgrade', '1', policy);
  const target = { secret, namespace: context.namespace };
  const service = {
    service: `${name}-webhook-service`,
    domain: templateString(values['kubernetesClusterDomain']),
    days: templateString(atPath(values, 'webhook.certificateValidity')),
  };
  const named = (apiGroup: string, resource: string, resourceName: string, verbs: readonly string[]): PolicyRule => ({
    ...policyRule(apiGroup, [resource], verbs),
    resourceNames: [resourceName],
  });
  return [
    ...hookAccount(scope, generate, labels, hook('pre-install,pre-upgrade', '-5', policy), [
      policyRule('', ['secrets'], ['create', 'update', 'patch', 'get']),
    ]),
    certificateJob(scope, {
      name: generate,
      container: 'cert-generator',
      script: certificateScript({ ...target, ...service }),
      annotations: hook('pre-install,pre-upgrade', '-4', policy),
      backoffLimit: 3,
      readOnlyRootFilesystem: false,
    }),
    ...hookAccount(scope, inject, labels, after, [named('', 'secrets', secret, ['get'])]),
    role(
      inject,
      undefined,
      labels,
      [named('admissionregistration.k8s.io', 'validatingwebhookconfigurations', configuration, ['get', 'patch'])],
      after,
    ),
    binding({
      name: inject,
      namespace: undefined,
      labels,
      role: inject,
      account: inject,
      accountNamespace: context.namespace,
      annotations: after,
    }),
    certificateJob(scope, {
      name: inject,
      container: 'ca-injector',
      script: caInjectScript({ ...target, configuration }),
      annotations: hook('post-install,post-upgrade', '2', policy),
      backoffLimit: 5,
      readOnlyRootFilesystem: true,
    }),
  ];
}

/** Whether a Job creates the SSH key pair. Default: true for a Helm hook; a Job that is not a hook is opt-in, since it is not deleted. */
export function createsKey({ values, context }: OperatorRelease): boolean {
  const isRequested = atPath(context.values, 'dynamo-operator.dynamo.mpiRun.sshKeygen.enabled') === true;
  return context.switches['no-hooks'] ? isRequested : truthy(atPath(values, 'dynamo.mpiRun.sshKeygen.enabled'));
}

/** The Job that creates the SSH key pair for MPI; it keeps an existing Secret. */
export function keygenJob(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context } = scope;
  if (!createsKey(scope)) return [];
  const isHook = !context.switches['no-hooks'];
  const secured = context.switches['pod-security']
    ? {
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        },
      }
    : {};
  const account = `${name}-ssh-keygen`;
  const own = atPath(values, 'dynamo.mpiRun.sshKeygen');
  const pick = (key: 'tolerations' | 'affinity'): Json | undefined =>
    atPath(own, key) ?? (hasKey(own, key) ? undefined : atPath(values, 'controllerManager', key));
  const env = [
    { name: 'SECRET_NAME', value: templateString(atPath(values, 'dynamo.mpiRun.secretName')) },
    { name: 'NAMESPACE', value: context.namespace },
  ];
  const container = (containerName: string, image: string, script: string): JsonObject => ({
    name: containerName,
    image: context.image(image),
    volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
    env,
    command: ['/bin/bash', '-e', '-c', script],
    ...secured,
  });
  return [
    ...hookAccount(scope, account, scope.labels, isHook ? hook('pre-install,pre-upgrade', '-10') : undefined, [
      policyRule('', ['secrets'], ['get', 'create', 'update']),
    ]),
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name: account,
        namespace: context.namespace,
        ...(isHook
          ? { annotations: hook('pre-install,pre-upgrade', '-5', 'before-hook-creation,hook-succeeded') }
          : { labels: scope.labels }),
      },
      spec: {
        backoffLimit: 1,
        activeDeadlineSeconds: 300,
        template: {
          spec: {
            restartPolicy: 'Never',
            serviceAccountName: account,
            securityContext: { runAsNonRoot: true, runAsUser: 65534, fsGroup: 65534 },
            ...scheduling(pick('tolerations'), pick('affinity')),
            initContainers: [container('keygen', 'bitnamisecure/git:latest', keygenScript)],
            containers: [container('kubectl-create-secret', 'alpine/k8s:1.34.1', keySecretScript)],
            volumes: [{ name: 'shared', emptyDir: {} }],
          },
        },
      },
    },
  ];
}

function hasKey(value: Json | undefined, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
