import { block, choice, flag, objects, strings, integer, string, type ValuesOf } from '../schema-fields.ts';

/** The values of the inference gateway, with a description on every key. */
export const schema = block('endpoint picker, inference pool and route in front of one graph', {
  dynamoGraphDeploymentName: string('name of the graph; required'),
  model: block('the model the graph serves', {
    identifier: string('not read'),
    shortName: string('prefix of the names of all objects'),
  }),
  inferencePool: block('the pool of frontends', { port: integer('port of the frontends') }),
  httpRoute: block('the route from the gateway to the pool', {
    enabled: flag('render it'),
    gatewayName: string('name of the Gateway'),
    gatewayNamespace: string('namespace of the Gateway; empty: that of the release'),
    path: block('what the route matches', { prefix: string('start of the path') }),
    timeout: block('how long a request may take', { request: string('as a duration, such as 300s') }),
  }),
  extension: block('the endpoint picker', { image: string('its image; required') }),
  imagePullSecrets: strings('names of pull Secrets'),
  epp: block('settings of the endpoint picker', {
    imagePullPolicy: choice('when to pull', 'Always', 'IfNotPresent', 'Never'),
    extraEnv: objects('environment variables after the built-in ones'),
    argsOverride: strings('arguments that replace all others'),
    useDynamo: flag('route by the KV cache of the workers'),
    configFile: string('configuration file, with useDynamo'),
    dynamo: block('settings of the KV routing', {
      kvBlockSize: string('block size of the KV cache; must be that of the model'),
      useEtcd: flag('discover workers through etcd, not through Kubernetes'),
    }),
  }),
  platformReleaseName: string('release of the platform, which names NATS and etcd'),
  platformNamespace: string('namespace of the platform'),
  nameOverride: string('replaces `dynamo-gaie` in the name of the ConfigMap'),
  fullnameOverride: string('replaces release and `dynamo-gaie` in the name of the ConfigMap'),
});

/** Values that nothing reads. */
export const dead = { 'model.identifier': 'the endpoint picker learns the model from the workers' };

/** The values of the inference gateway, every key optional. */
export type GaieValues = ValuesOf<typeof schema>;
