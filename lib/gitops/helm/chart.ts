import type { KubernetesObject } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { toYaml } from '../../manifest/index.ts';
import { mergeLayers, parts, renderPlatform, type ContextOptions } from '../../platform/index.ts';
import type { OutputFile } from '../layout.ts';
import { annotate, fileName, objectFiles } from '../object-files.ts';
import { chartFile } from './chart-file.ts';
import { etcdDecisions, monitoring, natsDecisions, operatorDecisions, type DecidingValue } from './deciding-values.ts';
import { documentedValues } from './documented-values.ts';
import { withoutValue } from './effective-value.ts';
import { validateTemplate } from './guards.ts';
import { namedTemplates } from './named-templates.ts';
import { notesTemplate } from './notes.ts';
import { nest, openValues, valueExpression } from './open-values.ts';
import { Placeholders } from './placeholders.ts';
import { chartReadme } from './readme.ts';
import { TemplateGenerator } from './template-generator.ts';
import { escapeBraces } from './template-quoting.ts';
import { testPod } from './test-pod.ts';
import { valuesFile } from './values-file.ts';
import { chartValuesSchema } from './values-schema.ts';

/** Input of `helmChart`. */
export interface ChartInput {
  /** The user's values: defaults of the values that the chart exposes; all other values are fixed in its templates. */
  readonly values: JsonObject;
  readonly options: ContextOptions;
  readonly crds: readonly KubernetesObject[];
  readonly graphs: readonly KubernetesObject[];
  /**
   * Version of the chart.
   * @default - the version of the platform
   */
  readonly version?: string;
}

/** Generates a Helm chart of the platform from the platform's renderers. */
export function helmChart(input: ChartInput): readonly OutputFile[] {
  const { values, options, graphs } = input;
  const withQueues = { platform: { queues: { enabled: true } } };
  const { byPart, context, notes } = renderPlatform(mergeLayers([values, withQueues]), options);
  const defaults = parts.map((part) => ({ ...part.defaults, platform: part.platformDefaults }));
  const rendered = byPart.map((part) => part.objects);
  const placeholders = new Placeholders([values, JSON.stringify(options), defaults, rendered]);
  const { kind } = context.settings.operator;
  const clientLabels = placeholders.map(valueExpression('platform.networkPolicy.clientNamespaceLabels'));
  const decisions: Readonly<Record<string, readonly DecidingValue[]>> = {
    'dynamo-operator': operatorDecisions(
      (path) => placeholders.string(valueExpression(path)),
      placeholders.number(valueExpression('dynamo-operator.controllerManager.replicas')),
      kind,
    ),
    nats: natsDecisions(values, clientLabels),
    etcd: etcdDecisions(values, placeholders.map(valueExpression('etcd.resources')), clientLabels),
  };
  const documented = documentedValues(Object.values(decisions).flat(), kind, graphs.length > 0);
  // helm merges maps of values.yaml with those of the user, who could not remove keys that are also rendered into the templates
  const fixed = documented.filter(({ type }) => type === 'map').reduce((left, { path }) => withoutValue(path, left), values);
  const generator = new TemplateGenerator(fixed, options, openValues(kind), placeholders);
  const templates = parts.map((part) => ({
    path: `templates/${part.key}.yaml`,
    text: when(enabledTest(part.key), generator.templates(part, decisions[part.key] ?? [monitoring])),
  }));
  const labels = nest(monitorLabels, placeholders.map(valueExpression(monitorLabels)));
  const otherTemplates = renderPlatform(mergeLayers([fixed, withQueues, labels]), options)
    .byPart.filter(({ name, objects }) => objects.length > 0 && name !== 'namespace' && !parts.some((part) => part.key === name))
    .map(({ name, objects }) => {
      const text = generator.fixed(objects, context.namespace);
      return {
        path: `templates/${name}.yaml`,
        text: name === 'queues' ? when('eq (include "dynamo.queues" .) "true"', text) : text,
      };
    });
  return [
    { path: 'Chart.yaml', text: chartFile('dynamo-platform', 'NVIDIA Dynamo platform: operator, NATS, etcd', input.version) },
    { path: 'values.yaml', text: valuesFile(values, documented) },
    { path: 'values.schema.json', text: `${JSON.stringify(chartValuesSchema(documented), undefined, 2)}\n` },
    { path: 'README.md', text: chartReadme(documented, values, notes) },
    ignoreFile,
    { path: 'templates/_helpers.tpl', text: namedTemplates },
    { path: 'templates/NOTES.txt', text: notesTemplate(graphs.length > 0) },
    { path: 'templates/validate.yaml', text: validateTemplate(kind) },
    { path: 'templates/tests/connection.yaml', text: testPod },
    ...templates,
    ...otherTemplates,
    ...objectFiles('crds', input.crds, (o) => fileName(o)),
    ...objectFiles('templates/graphs', graphs.map(keepNamespace), (o) => fileName(o)).map(({ path, text }) => ({
      path,
      text: `{{- if .Values.graphs.enabled }}\n${escapeBraces(text)}{{- end }}\n`,
    })),
  ];
}

/** The only value that objects outside the parts depend on: labels of monitors, rules and dashboards. */
const monitorLabels = 'platform.monitoring.labels';

/** Keeps namespaces, which may contain objects of others, when the release or its graphs are removed. */
function keepNamespace(object: KubernetesObject): KubernetesObject {
  return object.kind === 'Namespace' ? annotate(object, keep) : object;
}

/** See https://helm.sh/docs/howto/charts_tips_and_tricks/#tell-helm-not-to-uninstall-a-resource. */
const keep = { 'helm.sh/resource-policy': 'keep' };

/** Files that helm leaves out of a package. */
const ignoreFile: OutputFile = { path: '.helmignore', text: '.dynamo-cdk8s-files\n.git/\n' };

/** Wraps templates in a condition; `$operator` is the block `dynamo-operator` of the values. */
function when(test: string, text: string): string {
  return `{{- $operator := index .Values "dynamo-operator" -}}\n{{- if ${test} }}\n${text}{{- end }}\n`;
}

/** Template expression for whether a part is enabled; the operator is unless `enabled` is false, as in the original chart. */
function enabledTest(key: string): string {
  if (key === 'dynamo-operator') return 'ne (toString $operator.enabled) "false"';
  return key.includes('-') ? `(index .Values "${key}").enabled` : `.Values.${key}.enabled`;
}

/** Generates a chart of the CRDs only, as templates so that `helm upgrade` updates them; `helm uninstall` keeps them and every graph. */
export function crdsChart(crds: readonly KubernetesObject[], version?: string): readonly OutputFile[] {
  const kept = crds.map((crd) => annotate(crd, keep));
  return [
    { path: 'Chart.yaml', text: chartFile('dynamo-crds', 'Custom resource definitions of NVIDIA Dynamo', version) },
    { path: 'values.yaml', text: '# This chart has no values.\n' },
    { path: 'README.md', text: crdsReadme },
    ignoreFile,
    ...kept.map((crd) => ({ path: `templates/${fileName(crd)}`, text: escapeBraces(toYaml(crd)) })),
  ];
}

const crdsReadme = `# dynamo-crds

The six custom resource definitions of NVIDIA Dynamo, generated by \`dynamo-cdk8s gitops --layout helm --chart crds\`.

    helm upgrade --install dynamo-crds . --namespace dynamo-system --create-namespace

Install it before the chart dynamo-platform, and install that chart with \`--skip-crds\`. \`helm upgrade\` updates the definitions; \`helm uninstall\` keeps
them and every graph. If the definitions already exist, adopt them with \`--take-ownership\` (Helm 3.17).
`;
