import type { JsonObject, Path } from '../../lib/json/index.ts';

/** Where the spec of pods is in a Deployment. */
export const pod: Path = ['spec', 'template', 'spec'];
/** Where the main container is. */
export const main: Path = [...pod, 'containers', 0];

/** Sound objects to start from, one of each kind. */
export const bases: Readonly<Record<string, JsonObject>> = {
  Deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'demo-worker', labels: { app: 'demo' }, annotations: { note: 'x' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { 'nvidia.com/selector': 'demo-worker' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        metadata: { labels: { 'nvidia.com/selector': 'demo-worker' }, annotations: {} },
        spec: {
          terminationGracePeriodSeconds: 60,
          restartPolicy: 'Always',
          securityContext: { fsGroup: 1000 },
          containers: [
            {
              name: 'main',
              image: 'image:1',
              command: ['sh'],
              ports: [{ name: 'system', containerPort: 9090, protocol: 'TCP' }],
              env: [{ name: 'A', value: '1' }],
              resources: { limits: { cpu: '2', 'nvidia.com/gpu': '1' }, requests: { cpu: '1' } },
              livenessProbe: {
                httpGet: { path: '/live', port: 'system' },
                periodSeconds: 5,
                timeoutSeconds: 4,
                failureThreshold: 1,
              },
              volumeMounts: [
                { name: 'models', mountPath: '/models' },
                { name: 'shared-memory', mountPath: '/dev/shm' },
              ],
            },
          ],
          volumes: [
            { name: 'models', persistentVolumeClaim: { claimName: 'models' } },
            { name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '8Gi' } },
          ],
        },
      },
    },
  },
  Service: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'demo' },
    spec: { selector: { app: 'demo' }, ports: [{ name: 'http', port: 8000, protocol: 'TCP', targetPort: 'http' }] },
  },
  Ingress: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'demo' },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['demo.local'], secretName: 'tls' }],
      rules: [
        {
          host: 'demo.local',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'demo', port: { number: 8000 } } } }] },
        },
      ],
    },
  },
  PersistentVolumeClaim: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'models' },
    spec: { accessModes: ['ReadWriteMany'], storageClassName: 'nfs', resources: { requests: { storage: '100Gi' } } },
  },
  Job: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'profile-demo' },
    spec: {
      backoffLimit: 3,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'profiler', image: 'image:1', resources: { limits: { cpu: '1' } } }],
        },
      },
    },
  },
  ConfigMap: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'demo-epp-config' }, data: { 'epp.yaml': 'a: 1' } },
  Secret: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mpi' }, data: { 'private.key': 'eA==' } },
  ServiceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'demo' } },
  Role: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'demo' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  },
  RoleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'demo' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'demo', namespace: 'default' }],
  },
};
