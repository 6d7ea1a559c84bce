import type { JsonObject } from '../../json/index.ts';
import { valueTree, type ValueTree } from './documented-values.ts';
import {
  affinity,
  deploymentStrategy,
  labels,
  namedPullSecrets,
  pullSecrets,
  resources,
  tolerations,
  updateStrategy,
} from './kubernetes-forms.ts';
import type { ChartValue, ValueForm } from './open-values.ts';

const types: Readonly<Record<ChartValue['type'], JsonObject>> = {
  string: { type: ['string', 'null'] },
  number: { type: 'integer' },
  map: { type: ['object', 'null'] },
  list: { type: ['array', 'null'] },
  boolean: { type: 'boolean' },
};

/** Pieces of an image reference, as `malformedImage` reads it: https://pkg.go.dev/github.com/distribution/reference. */
const label = '[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?';
const host = `(${label}([.]${label})*|\\[[0-9A-Fa-f:]+\\])(:[0-9]+)?`;
const part = '[a-z0-9]+(([.]|_|__|-+)[a-z0-9]+)*';
const repository = `(${host}/)?${part}(/${part})*`;
const tag = '[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}';
const digest = '@sha256:[0-9a-f]{64}';
/** At most 255 characters of repository are sure to be accepted, whatever the registry. */
const longestRepository = 255;

/** Schema of each format. helm is written in Go, so patterns follow https://pkg.go.dev/regexp/syntax. */
const forms: Readonly<Record<ValueForm, JsonObject>> = {
  serviceName: { pattern: '^([a-z]([-a-z0-9]*[a-z0-9])?)?$', maxLength: 63 },
  name: { pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$', maxLength: 63 },
  dnsName: { pattern: '^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$', maxLength: 253 },
  optionalDnsName: { pattern: '^([a-z0-9]([-.a-z0-9]*[a-z0-9])?)?$', maxLength: 253 },
  storageClass: { pattern: '^(-|[a-z0-9]([-.a-z0-9]*[a-z0-9])?)?$', maxLength: 253 },
  size: {
    type: ['string', 'integer'],
    minimum: 1,
    pattern: '^[0-9]+([.][0-9]+)?([KMGTPE]i?|k)?$',
    not: { type: 'string', pattern: '^[0.]+[A-Za-z]*$' },
  },
  duration: { pattern: '^([0-9]+(h|m|s|ms))+$' },
  optionalDuration: { pattern: '^([0-9]+(h|m|s|ms))*$' },
  base64: { pattern: '^[A-Za-z0-9+/\\s]*=*\\s*$' },
  tag: { type: ['string', 'null'], pattern: `^(${tag}(${digest})?)?$` },
  image: { type: 'string', pattern: `^${repository}(:${tag})?(${digest})?$`, maxLength: longestRepository + 200 },
  repository: { type: 'string', pattern: `^${repository}$`, maxLength: longestRepository },
  registry: { pattern: `^((${host}|${part})(/${part})*/*)?$`, maxLength: longestRepository },
  seconds: { minimum: 1, maximum: 30 },
  replicas: { minimum: 1 },
  delay: { minimum: 0 },
  count: { minimum: 1 },
  digests: { additionalProperties: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' } },
  labels,
  resources,
  tolerations,
  affinity,
  pullSecrets,
  namedPullSecrets,
  deploymentStrategy,
  updateStrategy,
};

function leaf(value: ChartValue): JsonObject {
  const nullable = value.nullable ? { type: [types[value.type]['type'] ?? 'string', 'null'] } : types[value.type];
  const type = value.choices ? { enum: value.choices } : nullable;
  return { description: value.description, ...type, ...(value.form === undefined ? {} : forms[value.form]) };
}

/** Only helm reads it, as the `condition` under which a parent chart includes this one, see https://helm.sh/docs/topics/charts/. */
const dependency = { enabled: { type: 'boolean', description: 'whether a chart that depends on this one includes it' } };

/**
 * `values.schema.json`: rejects values that the chart does not read. Only `global` accepts any key, since a parent chart passes its own globals to
 * its dependencies, see https://helm.sh/docs/chart_template_guide/subcharts_and_globals/.
 */
export function chartValuesSchema(documented: readonly ChartValue[]): JsonObject {
  const block = (node: ValueTree, path: string): JsonObject => ({
    type: 'object',
    additionalProperties: path === 'global',
    properties: {
      ...(path === '' ? dependency : {}),
      ...Object.fromEntries([...node.leaves].map(([key, value]) => [key, leaf(value)])),
      ...Object.fromEntries(
        [...node.branches].map(([key, branch]) => [key, block(branch, path === '' ? key : `${path}.${key}`)]),
      ),
    },
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Dynamo platform chart',
    ...block(valueTree(documented), ''),
  };
}
