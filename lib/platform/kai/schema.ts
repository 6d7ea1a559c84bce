import { block, choice, flag, passThrough, listOf, objects, strings, integer, string, type ValuesOf } from '../schema-fields.ts';

const image = (what: string) =>
  block(`image of ${what}`, {
    name: string('name below global.registry; the tag is the version of the chart'),
    pullPolicy: choice('when to pull', 'Always', 'IfNotPresent', 'Never'),
  });

const extras = {
  resources: passThrough('requests and limits of the container'),
  additionalArgs: strings('further arguments of the container'),
};

const metricsPort = block('ports', { metricsPort: integer('port of the metrics') });

const global = block('settings of all components', {
  registry: string('registry and path of all images'),
  tag: string('not read'),
  imagePullPolicy: string('not read'),
  imagePullSecrets: listOf('names of pull Secrets', { type: ['string', 'object', 'null'], description: 'one name' }),
  securityContext: passThrough('security context of the containers'),
  tolerations: objects('taints all pods tolerate'),
  affinity: passThrough('affinity of all pods'),
  nodeSelector: passThrough('labels the nodes of all pods must have'),
  leaderElection: flag('elect a leader among replicas'),
  gpuSharing: flag('let pods share a GPU'),
  clusterAutoscaling: flag('request nodes from a cluster autoscaler for pods that share GPUs'),
  namespaceLabelSelector: passThrough('namespaces KAI looks at'),
  podLabelSelector: passThrough('pods KAI looks at'),
  resourceReservation: block('pods that reserve shared GPUs', {
    namespace: string('their namespace'),
    serviceAccount: string('their account'),
    appLabel: string('their label `app`'),
  }),
});

/** The values of the KAI scheduler, with a description on every key. */
export const schema = block('KAI, the scheduler for gangs of pods; one per cluster', {
  enabled: flag('run the KAI scheduler'),
  global,
  operator: block('the operator that runs most components', {
    image: image('the operator'),
    replicaCount: integer('replicas'),
    metricsBindAddress: string('address of the metrics'),
    probeBindAddress: string('address of the probes'),
    qps: integer('requests to the Kubernetes API per second'),
    burst: integer('requests to the Kubernetes API at once'),
    ...extras,
  }),
  podgrouper: block('the component that groups pods', { image: image('the pod grouper'), ...extras }),
  podgroupcontroller: block('the controller of pod groups', { image: image('the controller'), ...extras }),
  binder: block('the component that binds pods to nodes', {
    name: string('not read'),
    image: image('the binder'),
    resourceReservationImage: block('image of the pods that reserve shared GPUs', {
      name: string('name below global.registry'),
      pullPolicy: string('when to pull'),
    }),
    ports: metricsPort,
    cdi: flag('pass devices by CDI (Container Device Interface)'),
    ...extras,
  }),
  scheduler: block('the scheduler', {
    image: image('the scheduler'),
    placementStrategy: choice('fill nodes one by one, or spread over them', 'binpack', 'spread'),
    ports: metricsPort,
    ...extras,
  }),
  admission: block('the admission webhooks', {
    name: string('not read'),
    image: image('the webhooks'),
    certSecretName: string('not read'),
    ports: block('ports', {
      webhookPort: integer('port of the webhooks'),
      metricsPort: integer('port of the metrics'),
      probePort: integer('port of the probes'),
    }),
    cdi: flag('not read'),
    ...extras,
  }),
  queuecontroller: block('the controller of queues', {
    image: image('the controller'),
    certSecretName: string('not read'),
    ...extras,
  }),
  nodescaleadjuster: block('the component that requests nodes, with global.clusterAutoscaling', {
    image: image('the component'),
    scalingPodImage: block('image of the pods that request nodes', { name: string('not read') }),
    scalingPodNamespace: string('namespace of the pods that request nodes'),
    ...extras,
  }),
  crdupgrader: block('the hook Job that installs CRDs', { image: image('the Job'), ...extras }),
});

/** Values that nothing reads. */
export const dead = {
  'global.tag': 'every tag is the version of the chart',
  'global.imagePullPolicy': 'set image.pullPolicy of each component',
  podgrouper: 'the operator runs the pod grouper with its own settings',
  'binder.name': 'the name is fixed',
  'admission.name': 'the name is fixed',
  'admission.certSecretName': 'the operator chooses the Secret',
  'admission.cdi': 'set binder.cdi',
  'queuecontroller.certSecretName': 'the operator chooses the Secret',
  'queuecontroller.additionalArgs': 'nothing reads them',
  'nodescaleadjuster.scalingPodImage.name': 'the operator chooses the image',
  'operator.additionalArgs': 'nothing reads them',
  'crdupgrader.resources': 'nothing reads them',
};

/** The block `kai-scheduler` of the values, every key optional. */
export type KaiValues = ValuesOf<typeof schema>;
