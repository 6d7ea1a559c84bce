/** An input that grows with `n` and is made to cost more than it should, and the command that reads it from `in.yaml`. */
export interface LargeInput {
  readonly name: string;
  readonly command: readonly string[];
  /** Whether only a long run tries it. */
  readonly isLong?: boolean;
  readonly text: (n: number) => string;
  /** A size at which time that grows faster than the input would take longer than any test waits. */
  readonly size: number;
}

const graph = (component: object): string =>
  JSON.stringify({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g' },
    spec: { services: { W: { componentType: 'worker', ...component } } },
  });
const quantity = (text: string): string => graph({ resources: { requests: { cpu: text } } });
const container = (fields: object): string => graph({ extraPodSpec: { mainContainer: { image: 'example.com/a:1', ...fields } } });
const values = (value: object): string => JSON.stringify(value);
const numbered = (n: number, key: string): object => Object.fromEntries(Array.from({ length: n }, (_, i) => [`${key}${i}`, 'x']));

const lint = ['lint', '-f', 'in.yaml'] as const;
const validate = ['validate', '-f', 'in.yaml'] as const;
const render = ['render', '-f', 'in.yaml'] as const;
const platform = ['platform', '-f', 'in.yaml'] as const;
const fit = ['fit', '-f', 'in.yaml', '--nodes', '100', '--gpus-per-node', '8', '--orchestrator', 'grove'] as const;
const gitops = ['gitops', '--graph', 'in.yaml', '--layout', 'plain', '-o', 'out'] as const;

// The API server accepts up to 2^31 - 1 replicas and nodes.
const most = 2 ** 31 - 1;
const replicas = (n: number): string => graph({ replicas: Math.min(n, most) });
const multinodeReplicas = (n: number): string =>
  graph({
    replicas: Math.min(n, most),
    multinode: { nodeCount: 2 },
    resources: { limits: { gpu: '1' } },
    extraPodSpec: { mainContainer: { image: 'example.com/a:1', command: ['python3'], args: ['-m', 'dynamo.vllm'] } },
  });

/** Everything known to have cost too much once, and shapes like it. */
export const largeInputs: readonly LargeInput[] = [
  { name: 'zeros before an exponent, lint', command: lint, size: 200_000, text: (n) => quantity(`${'0'.repeat(n)}e1.5`) },
  { name: 'zeros before an exponent, validate', command: validate, size: 200_000, text: (n) => quantity(`${'0'.repeat(n)}e1.5`) },
  { name: 'zeros at the end of a quantity', command: render, size: 200_000, text: (n) => quantity(`1${'0'.repeat(n)}`) },
  { name: 'a long fraction', command: render, size: 200_000, text: (n) => quantity(`0.${'3'.repeat(n)}Gi`) },
  {
    name: 'blanks in a bare value of nats.conf',
    command: platform,
    size: 200_000,
    text: (n) => values({ nats: { config: { merge: { x: `<< ${' '.repeat(n)}x` } } } }),
  },
  {
    name: 'blanks in a template of etcd',
    command: platform,
    size: 200_000,
    text: (n) => values({ etcd: { enabled: true, extraEnvVars: [{ name: 'X', value: `{{ ${' '.repeat(n)}x` }] } }),
  },
  {
    name: 'templates of etcd without an end',
    command: platform,
    size: 200_000,
    text: (n) => values({ etcd: { enabled: true, extraEnvVars: [{ name: 'X', value: '{{ "'.repeat(n >> 2) }] } }),
  },
  {
    name: 'slashes after a registry',
    command: platform,
    size: 400_000,
    text: (n) => values({ global: { imageRegistry: `${'/'.repeat(n)}x` } }),
  },
  {
    name: 'line ends in the configuration of etcd',
    command: platform,
    size: 400_000,
    text: (n) => values({ etcd: { enabled: true, configuration: `${'\n'.repeat(n)}x` } }),
  },
  { name: 'keys of blanks', command: validate, size: 800_000, text: (n) => `{"${' '.repeat(n)}":1,"${' '.repeat(n)}":2}` },
  {
    name: 'line ends in an annotation',
    command: ['normalize', '-f', 'in.yaml'],
    size: 800_000,
    text: (n) => graph({ annotations: { x: `a${'\n'.repeat(n)}x` } }),
  },
  {
    name: 'pythons in a command',
    command: render,
    size: 200_000,
    text: (n) => container({ command: ['sh', '-c'], args: ['python3 -m dynamo.'.repeat(n >> 4)] }),
  },
  {
    name: 'blanks in a command',
    command: lint,
    size: 200_000,
    text: (n) => container({ args: [`python3${' '.repeat(n)}-m${' '.repeat(n)}x`] }),
  },
  {
    name: 'components with a finding each',
    command: validate,
    size: 4000,
    text: (n) =>
      JSON.stringify({
        apiVersion: 'nvidia.com/v1alpha1',
        kind: 'DynamoGraphDeployment',
        metadata: { name: 'g' },
        spec: {
          services: Object.fromEntries(Array.from({ length: n }, (_, i) => [`w${i}`, { componentType: 'worker', replicas: -1 }])),
        },
      }),
  },
  {
    name: 'objects of a JSON list with a finding each',
    command: validate,
    size: 20_000,
    text: (n) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: Array.from({ length: n }, (_, i) => ({
          apiVersion: 'nvidia.com/v1alpha1',
          kind: 'DynamoGraphDeployment',
          metadata: { name: `g${i}` },
          spec: { unknown: 1, services: { W: { replicas: -1 } } },
        })),
      }),
  },
  ...[validate, lint, render, ['normalize', '-f', 'in.yaml'], ['import', '-f', 'in.yaml'], platform, fit, gitops].map(
    (command) => ({
      name: 'objects of three bytes each',
      command,
      size: 200_000,
      text: (n: number) => `{"apiVersion":"v1","kind":"List","items":[{}${',{}'.repeat(n)}]}`,
    }),
  ),
  { name: 'replicas of a component', command: fit, size: 2_000_000_000, text: replicas },
  { name: 'replicas of a component with nodes of its own', command: render, size: 2_000_000_000, text: multinodeReplicas },
  { name: 'replicas of a component with nodes of its own', command: lint, size: 2_000_000_000, text: multinodeReplicas },
  {
    name: 'nodes of a replica',
    command: fit,
    size: 2_000_000_000,
    text: (n) => graph({ multinode: { nodeCount: Math.min(n, most) } }),
  },
  {
    name: 'keys of a YAML map with a finding each',
    command: validate,
    size: 20_000,
    text: (n) =>
      `apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\nspec:\n  services: {W: {}}\n${Array.from({ length: n }, (_, i) => `  k${i}: 1\n`).join('')}`,
  },
  {
    name: 'values of which one is refused for what the message does not show',
    command: platform,
    size: 4000,
    text: (n) => values({ etcd: { enabled: true, persistence: { accessModes: [] }, commonAnnotations: numbered(n, 'a') } }),
  },
  {
    name: 'values that are all refused',
    command: platform,
    isLong: true,
    size: 4000,
    text: (n) => values({ etcd: { enabled: true, commonAnnotations: numbered(n, 'no key ') } }),
  },
];
