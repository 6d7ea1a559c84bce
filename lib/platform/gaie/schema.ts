import { block, choice, flag, objects, texts, whole, words, type ValuesOf } from '../described.ts';

/** The values of the inference gateway, with a description on every key. */
export const schema = block('endpoint picker, inference pool and route in front of one graph', {
  dynamoGraphDeploymentName: words('name of the graph; required'),
  model: block('the model the graph serves', {
    identifier: words('not read'),
    shortName: words('stem of the names of all objects'),
  }),
  inferencePool: block('the pool of frontends', { port: whole('port of the frontends') }),
  httpRoute: block('the route from the gateway to the pool', {
    enabled: flag('render it'),
    gatewayName: words('name of the Gateway'),
    gatewayNamespace: words('namespace of the Gateway; empty: that of the release'),
    path: block('what the route matches', { prefix: words('start of the path') }),
    timeout: block('how long a request may take', { request: words('as a duration, such as 300s') }),
  }),
  extension: block('the endpoint picker', { image: words('its image; required') }),
  imagePullSecrets: texts('names of pull Secrets'),
  epp: block('settings of the endpoint picker', {
    imagePullPolicy: choice('when to pull', 'Always', 'IfNotPresent', 'Never'),
    extraEnv: objects('environment variables after the built-in ones'),
    argsOverride: texts('arguments in place of all others'),
    useDynamo: flag('route by the KV cache of the workers'),
    configFile: words('configuration file, with useDynamo'),
    dynamo: block('settings of the KV routing', {
      kvBlockSize: words('block size of the KV cache; must be that of the model'),
      useEtcd: flag('find workers by etcd, not by Kubernetes'),
    }),
  }),
  platformReleaseName: words('release of the platform, which names NATS and etcd'),
  platformNamespace: words('namespace of the platform'),
  nameOverride: words('takes the place of `dynamo-gaie` in the name of the ConfigMap'),
  fullnameOverride: words('takes the place of release and `dynamo-gaie` in the name of the ConfigMap'),
});

/** Values that are read by nothing. */
export const dead = { 'model.identifier': 'the endpoint picker learns the model from the workers' };

/** The values of the inference gateway, every key optional. */
export type GaieValues = ValuesOf<typeof schema>;
