import { toYaml } from '../../manifest/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { type ContextOptions, type KubernetesObject, parts, platformVersion, renderPlatform } from '../../platform/index.ts';
import type { OutputFile } from '../layout.ts';
import { fileName } from '../object-files.ts';
import { etcdDecisions, monitoring, operatorDecisions, valueExpression, type DecidingValue } from './chart-values.ts';
import { notes, templateFunctions } from './functions.ts';
import { escapeBraces } from './parameter.ts';
import { Specialiser } from './specialise.ts';
import { chartReadme, valuesFile, valuesSchema } from './values-file.ts';

/** What a chart is made from. */
export interface ChartInput {
  /** The user's values: what the chart does not leave open is taken from here for good, the rest becomes its defaults. */
  readonly values: JsonObject;
  readonly options: ContextOptions;
  readonly crds: readonly KubernetesObject[];
  readonly graphs: readonly KubernetesObject[];
}

/** Parts that are there as the values say when the chart is made. */
const fixedParts: ReadonlySet<string> = new Set(['grove', 'kai-scheduler']);

/** A parameterised Helm chart of the platform, made from the same renderers as everything else. */
export function helmChart(input: ChartInput): readonly OutputFile[] {
  const { values } = input;
  const specialiser = new Specialiser(values, input.options);
  const operator = operatorDecisions(
    (path) => specialiser.text(valueExpression(path)),
    specialiser.number(valueExpression('dynamo-operator.controllerManager.replicas')),
  );
  const decisions: Readonly<Record<string, readonly DecidingValue[]>> = {
    'dynamo-operator': operator,
    etcd: etcdDecisions(specialiser.map(valueExpression('etcd.resources'))),
  };
  const all = Object.values(decisions).flat();
  const templates = parts.flatMap((part): readonly OutputFile[] => {
    if (fixedParts.has(part.key) && !isEnabled(values, part.key)) return [];
    const text = specialiser.templates(part, decisions[part.key] ?? [monitoring]);
    const on = fixedParts.has(part.key) ? text : `{{- if ${enabledTest(part.key)} }}\n${text}{{- end }}\n`;
    return text === ''
      ? []
      : [{ path: `templates/${part.key}.yaml`, text: `{{- $operator := index .Values "dynamo-operator" -}}\n${on}` }];
  });
  return [
    { path: 'Chart.yaml', text: toYaml(chartFile) },
    { path: 'values.yaml', text: valuesFile(values, all) },
    { path: 'values.schema.json', text: `${JSON.stringify(valuesSchema(all), undefined, 2)}\n` },
    { path: 'README.md', text: chartReadme(all) },
    { path: 'templates/_helpers.tpl', text: templateFunctions },
    { path: 'templates/NOTES.txt', text: notes },
    ...templates,
    ...beside(input, specialiser),
    ...input.crds.map((o) => ({ path: `crds/${fileName(o)}`, text: toYaml(o) })),
    ...input.graphs.map((o) => ({ path: `templates/graphs/${fileName(o)}`, text: escapeBraces(toYaml(o)) })),
  ];
}

/** What belongs to no part, such as alert rules and queues: as the values say when the chart is made, in the release's namespace. */
function beside({ values, options }: ChartInput, specialiser: Specialiser): readonly OutputFile[] {
  const { byPart, context } = renderPlatform(values, options);
  const home = specialiser.text('.Release.Namespace');
  return byPart
    .filter(({ name, objects }) => objects.length > 0 && name !== 'namespace' && !parts.some((part) => part.key === name))
    .map(({ name, objects }) => {
      const moved = objects.map((o) =>
        o.metadata.namespace === context.namespace ? { ...o, metadata: { ...o.metadata, namespace: home } } : o,
      );
      return { path: `templates/${name}.yaml`, text: specialiser.fixed(moved) };
    });
}

const chartFile = {
  apiVersion: 'v2',
  name: 'dynamo-platform',
  description: 'NVIDIA Dynamo platform: operator, NATS, etcd',
  type: 'application',
  version: platformVersion,
  appVersion: platformVersion,
};

function enabledTest(key: string): string {
  return key === 'dynamo-operator' ? 'ne (toString $operator.enabled) "false"' : `.Values.${key}.enabled`;
}

function isEnabled(values: JsonObject, key: string): boolean {
  const block = values[key];
  return typeof block === 'object' && block !== null && 'enabled' in block && block['enabled'] === true;
}
