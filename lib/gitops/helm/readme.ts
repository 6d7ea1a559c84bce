import type { JsonObject } from '../../json/index.ts';
import { defaultOf } from './documented-values.ts';
import type { ChartValue } from './open-values.ts';

const typeNames: Readonly<Record<ChartValue['type'], string>> = {
  string: 'string',
  number: 'integer',
  boolean: 'boolean',
  map: 'object',
  list: 'list',
};

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function row(value: ChartValue, user: JsonObject): string {
  const choices = value.choices ? `: ${value.choices.map((c) => `\`${c}\``).join(', ')}` : '';
  const type = `${typeNames[value.type]}${value.nullable ? ' or null' : ''}`;
  return `| \`${value.path}\` | ${type} | \`${cell(JSON.stringify(defaultOf(value, user)))}\` | ${cell(value.description)}${choices} |`;
}

/** The chart's README: what must be there first, how to install, upgrade and remove it, and every value it reads. */
export function chartReadme(documented: readonly ChartValue[], user: JsonObject, prerequisites: readonly string[]): string {
  const graphs = documented.some((v) => v.path === 'graphs.enabled');
  return `# dynamo-platform

The NVIDIA Dynamo platform, made by \`dynamo-cdk8s gitops --layout helm\`.

## Prerequisites

- Kubernetes 1.28 or newer, Helm 3.8 or newer
${prerequisites.map((line) => `- ${line}\n`).join('')}
## Install

    helm install dynamo-platform . --namespace dynamo-system --create-namespace
    helm test dynamo-platform --namespace dynamo-system

Any release name and namespace will do.
${
  graphs
    ? `
The graphs of this chart are installed once the operator runs, since its webhook checks them:

    helm upgrade dynamo-platform . --namespace dynamo-system --reuse-values --set graphs.enabled=true
`
    : ''
}
## Upgrade the CRDs

Helm installs what is in \`crds/\` once and never changes it again. Before every upgrade of the chart:

    kubectl apply --server-side --force-conflicts -f crds/

Where CRDs must come from a release of their own, make a chart of them with \`dynamo-cdk8s gitops --layout helm --chart crds\`, install that first and
this one with \`--skip-crds\`.

## Remove

\`helm uninstall\` leaves the CRDs, and with them every graph. Delete graphs first, while the operator can still clean up after them.

## Values

Values that are not listed here were fixed when the chart was made; \`values.schema.json\` refuses them. To change one, make the chart anew. Keys of
\`global\` that are not listed are accepted and not read.

| value | type | default | meaning |
|---|---|---|---|
${documented.map((value) => row(value, user)).join('\n')}
`;
}
