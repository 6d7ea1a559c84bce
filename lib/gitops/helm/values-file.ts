import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { toYaml } from '../../manifest/index.ts';
import { openValues, readByTemplates, type DecidingValue } from './chart-values.ts';
import { effectiveValue, valueAt } from './effective-value.ts';

interface DocumentedValue {
  readonly path: string;
  readonly type: 'text' | 'number' | 'map' | 'list' | 'boolean';
  readonly description: string;
  readonly choices?: readonly string[];
}

/** Every value of the chart, by path, each once. */
export function documentedValues(decisions: readonly DecidingValue[]): readonly DocumentedValue[] {
  const operatorOn = {
    path: 'dynamo-operator.enabled',
    type: 'boolean' as const,
    description: 'whether the release brings the operator',
  };
  const webhook = {
    path: 'dynamo-operator.webhook.enabled',
    type: 'boolean' as const,
    description: 'whether writes are checked on admission',
  };
  const all = [operatorOn, webhook, ...decisions, ...openValues, ...readByTemplates];
  return [...new Map(all.map((v): [string, DocumentedValue] => [v.path, v])).values()].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

const own: Readonly<Record<string, Json>> = {
  'platform.certificates.mode': 'cert-manager',
  'platform.monitoring.enabled': null,
  'platform.monitoring.labels': {},
  'platform.operator.nodeSelector': {},
  'platform.operator.logLevel': '',
  'platform.imageDigests': {},
  'global.imageRegistry': '',
  // what the profile secure puts in the place of the original's default
  'dynamo-operator.controllerManager.kubeRbacProxy.image.repository': 'quay.io/brancz/kube-rbac-proxy',
};
const empty: Readonly<Record<DocumentedValue['type'], Json>> = { text: '', number: 0, map: {}, list: [], boolean: false };

/** What a value is when the chart is installed without any: what the user gave when the chart was made, else the platform's default. */
function defaultOf(value: DocumentedValue, user: JsonObject): Json {
  const found = effectiveValue(value.path, user);
  if (value.path === 'platform.certificates.mode' && found === undefined && certificatesExternal(user)) return 'external';
  const given = valueAt(value.path, user);
  return given ?? (Object.hasOwn(own, value.path) ? (own[value.path] ?? null) : (found ?? empty[value.type]));
}

function certificatesExternal(user: JsonObject): boolean {
  const operator = user['dynamo-operator'];
  const webhook = isObject(operator) ? operator['webhook'] : undefined;
  const secret = isObject(webhook) ? webhook['certificateSecret'] : undefined;
  return isObject(secret) && secret['external'] === true;
}

interface Tree {
  readonly leaves: Map<string, DocumentedValue>;
  readonly branches: Map<string, Tree>;
}

function tree(values: readonly DocumentedValue[]): Tree {
  const root: Tree = { leaves: new Map(), branches: new Map() };
  for (const value of values) {
    const steps = value.path.split('.');
    let at = root;
    for (const step of steps.slice(0, -1)) {
      const next = at.branches.get(step) ?? { leaves: new Map(), branches: new Map() };
      at.branches.set(step, next);
      at = next;
    }
    at.leaves.set(steps.at(-1) ?? '', value);
  }
  return root;
}

/** `values.yaml`: every documented value with its default and a comment. */
export function valuesFile(user: JsonObject, decisions: readonly DecidingValue[]): string {
  const lines: string[] = ['# Values of the Dynamo platform chart. Anything else was fixed when the chart was made.', ''];
  const write = (node: Tree, indent: string): void => {
    for (const [key, value] of node.leaves) {
      const choices = value.choices ? ` (${value.choices.join(', ')})` : '';
      lines.push(`${indent}# ${value.description}${choices}`);
      lines.push(
        ...toYaml({ [key]: defaultOf(value, user) })
          .trimEnd()
          .split('\n')
          .map((l) => `${indent}${l}`),
      );
    }
    for (const [key, branch] of node.branches) {
      lines.push(`${indent}${key}:`);
      write(branch, `${indent}  `);
    }
  };
  write(tree(documentedValues(decisions)), '');
  return `${lines.join('\n')}\n`;
}

const schemaTypes: Readonly<Record<DocumentedValue['type'], JsonObject>> = {
  text: { type: ['string', 'null'] },
  number: { type: 'integer' },
  map: { type: ['object', 'null'] },
  list: { type: ['array', 'null'] },
  boolean: { type: 'boolean' },
};

/** `values.schema.json`: closed, so that a value the chart does not read is refused and not ignored. */
export function valuesSchema(decisions: readonly DecidingValue[]): JsonObject {
  const write = (node: Tree): JsonObject => ({
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries([...node.leaves].map(([key, value]) => [key, leaf(value)])),
      ...Object.fromEntries([...node.branches].map(([key, branch]) => [key, write(branch)])),
    },
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Dynamo platform chart',
    ...write(tree(documentedValues(decisions))),
  };
}

function leaf(value: DocumentedValue): JsonObject {
  const type = value.path === 'platform.monitoring.enabled' ? { type: ['boolean', 'null'] } : schemaTypes[value.type];
  return { description: value.description, ...(value.choices ? { enum: value.choices } : type) };
}

/** The chart's README: how to install it, and every value it reads. */
export function chartReadme(decisions: readonly DecidingValue[]): string {
  const rows = documentedValues(decisions).map(
    (v) => `| \`${v.path}\` | ${v.description}${v.choices ? `: ${v.choices.map((c) => `\`${c}\``).join(', ')}` : ''} |`,
  );
  return `# dynamo-platform

The NVIDIA Dynamo platform, made by \`dynamo-cdk8s gitops --layout helm\`.

    helm install dynamo-platform . --namespace dynamo-system --create-namespace

Values that are not listed here were fixed when the chart was made; \`values.schema.json\` refuses them. To change one, make the chart anew.

| value | meaning |
|---|---|
${rows.join('\n')}
`;
}
