import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { folderWith, run, type Ran } from './run.ts';

const frontend = '{componentType: frontend, extraPodSpec: {mainContainer: {image: example.com/frontend:1}}}';
const graph = (metadata = '{name: qwen}', services = `{Frontend: ${frontend}}`): string =>
  `apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: ${metadata}\nspec: {services: ${services}}\n`;
const object = (text: string): string => `apiVersion: v1\n${text}\n`;

const below = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name).slice(path.length + 1))
    .toSorted();
const read = (...path: readonly string[]) => parse(readFileSync(join(...path), 'utf8'));

interface Given {
  readonly graph?: string;
  readonly layout?: string;
  readonly more?: readonly string[];
}

/** Runs gitops with a graph in a folder of its own; returns the folder too. */
async function gitops({ graph: text = graph(), layout = 'plain', more = [] }: Given): Promise<Ran & { readonly cwd: string }> {
  const cwd = folderWith({ 'graph.yaml': text, 'none.yaml': '{}' });
  const ran = await run(['gitops', '--layout', layout, '--graph', 'graph.yaml', '-o', 'out', ...more], { cwd });
  return { ...ran, cwd };
}

describe("a user's files", () => {
  const repository = ['--repo-url', 'https://git.example.com/x.git'];
  test.each([
    ['plain', '1-platform/mine.yaml', []],
    ['kustomize', 'overlays/production/sealed.yaml', ['--env', 'production=none.yaml']],
    ['helm', 'templates/mine.yaml', []],
    ['argocd', 'manifests/default/mine.yaml', repository],
    ['flux', 'flux/mine.yaml', repository],
  ])(
    'stay where they are, layout %s',
    async (layout, path, more) => {
      const cwd = folderWith({ 'none.yaml': '{}' });
      const argv = ['gitops', '--layout', layout, '-o', 'out', ...more];
      expect(await run(argv, { cwd })).toMatchObject({ code: 0 });
      const before = below(join(cwd, 'out'));
      mkdirSync(join(cwd, 'out', path, '..'), { recursive: true });
      writeFileSync(join(cwd, 'out', path), 'mine');
      expect(await run(argv, { cwd })).toMatchObject({ code: 0 });
      expect(readFileSync(join(cwd, 'out', path), 'utf8')).toBe('mine');
      expect(below(join(cwd, 'out'))).toEqual([...before, path].toSorted());
    },
    180_000,
  );

  test('what is replaced and removed is said, and a dry run says it before', async () => {
    const { cwd } = await gitops({});
    const argv = ['gitops', '--layout', 'plain', '-o', 'out', '--set', 'dynamo-operator.controllerManager.replicas=2'];
    const before = below(join(cwd, 'out')).map((path) => [path, readFileSync(join(cwd, 'out', path), 'utf8')]);
    const dry = await run([...argv, '--dry-run'], { cwd });
    expect(dry.code).toBe(0);
    expect(dry.out).toContain(
      'replace out/1-platform/05-operator-deployment-dynamo-platform-dynamo-operator-controller-manager.yaml\n',
    );
    expect(dry.out).toContain('create out/1-platform/04-dependencies-poddisruptionbudget-');
    expect(dry.out).toContain('remove out/2-graphs/08-graphs-dynamographdeployment-models.qwen.yaml\n');
    expect(dry.out).toContain('unchanged out/0-crds/');
    expect(below(join(cwd, 'out')).map((path) => [path, readFileSync(join(cwd, 'out', path), 'utf8')])).toEqual(before);
    const { err } = await run(argv, { cwd });
    expect(err).toContain('05-operator-deployment-dynamo-platform-dynamo-operator-controller-manager.yaml: replaced\n');
    expect(err).toContain('08-graphs-dynamographdeployment-models.qwen.yaml: removed: it is no longer needed\n');
    expect(err).not.toContain('0-crds');
    expect(existsSync(join(cwd, 'out/2-graphs'))).toBe(false);
  });

  test('a README of their own is kept', async () => {
    const cwd = folderWith({ 'README.md': 'mine' });
    const { code, err, out } = await run(['gitops', '--layout', 'plain', '-o', '.'], { cwd });
    expect(code).toBe(0);
    expect(err).toContain('README.md: kept: this command did not write it\n');
    expect(out).not.toContain('README.md');
    expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toBe('mine');
    expect(existsSync(join(cwd, '1-platform'))).toBe(true);
  });

  test('a folder behind a symbolic link is written, the link stays', async () => {
    const cwd = folderWith({ 'real/keep.txt': 'k' });
    symlinkSync('real', join(cwd, 'out'));
    expect(await run(['gitops', '--layout', 'plain', '-o', 'out'], { cwd })).toMatchObject({ code: 0 });
    expect(lstatSync(join(cwd, 'out')).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(cwd, 'real'))).toContain('1-platform');
  });
});

describe('namespaces of graphs', () => {
  test('graphs that name none get one of their own, which is written', async () => {
    const { cwd, code } = await gitops({});
    expect(code).toBe(0);
    expect(read(cwd, 'out/2-graphs/08-graphs-dynamographdeployment-models.qwen.yaml').metadata.namespace).toBe('models');
    expect(read(cwd, 'out/2-graphs/00-namespaces-namespace-models.yaml')).toMatchObject({
      kind: 'Namespace',
      metadata: { name: 'models' },
    });
  });

  test('as --graph-namespace says, unless the graph says', async () => {
    const two = `${graph()}---\n${graph('{name: llama, namespace: team}')}`;
    const { cwd } = await gitops({ graph: two, more: ['--graph-namespace', 'llm'] });
    expect(readdirSync(join(cwd, 'out/2-graphs'))).toEqual([
      '00-namespaces-namespace-llm.yaml',
      '00-namespaces-namespace-team.yaml',
      '08-graphs-dynamographdeployment-llm.qwen.yaml',
      '08-graphs-dynamographdeployment-team.llama.yaml',
    ]);
  });

  test('a namespace that comes with the graphs is not written twice', async () => {
    const { cwd } = await gitops({
      graph: `${object('kind: Namespace\nmetadata: {name: models, labels: {a: b}}')}---\n${graph()}`,
    });
    expect(read(cwd, 'out/2-graphs/00-namespaces-namespace-models.yaml').metadata.labels).toEqual({ a: 'b' });
  });

  test('rejects a graph in the namespace of the platform, whose Pod Security refuses its pods', async () => {
    const { code, err, cwd } = await gitops({ graph: graph('{name: qwen, namespace: dynamo-system}') });
    expect(code).toBe(1);
    expect(err).toContain('namespace dynamo-system enforces Pod Security restricted, which refuses these pods');
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  test('takes one there whose pods keep to the level', async () => {
    const securityContext =
      '{allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}';
    const services = `{Frontend: {componentType: frontend, extraPodSpec: {mainContainer: {image: example.com/frontend:1, securityContext: ${securityContext}}}}}`;
    expect(await gitops({ graph: graph('{name: qwen, namespace: dynamo-system}', services) })).toMatchObject({ code: 0 });
  });
});

describe('objects', () => {
  test('of one kind and name in different API groups all have files, in every layout', async () => {
    const services = [
      object('kind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}'),
      'apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: web}\nspec: {}\n',
      object('kind: Service\nmetadata: {name: web-2}\nspec: {ports: [{port: 80}]}'),
    ].join('---\n');
    for (const layout of ['plain', 'kustomize', 'argocd', 'flux']) {
      const { cwd, code } = await gitops({ graph: services, layout, more: ['--repo-url', 'https://git.example.com/x.git'] });
      expect(code).toBe(0);
      const files = below(join(cwd, 'out')).filter((path) => /service[.\w]*-models\.web/.test(path));
      expect(
        files.map((path) => path.replace(/^.*service/, 'service')),
        layout,
      ).toEqual(['service-models.web-2.yaml', 'service-models.web.yaml', 'service.serving.knative.dev-models.web.yaml']);
    }
  });

  test.each([
    ['a graph', `${graph()}---\n${graph()}`, 'DynamoGraphDeployment models/qwen is given more than once'],
    [
      'a graph in the namespace it would get anyway',
      `${graph()}---\n${graph('{name: qwen, namespace: models}')}`,
      'DynamoGraphDeployment models/qwen is given more than once',
    ],
    [
      'an object of the platform',
      object('kind: ServiceAccount\nmetadata: {name: dynamo-platform-etcd, namespace: dynamo-system}'),
      'ServiceAccount dynamo-system/dynamo-platform-etcd is given more than once',
    ],
  ])('rejects %s that is there twice', async (_, text, message) => {
    const { code, err, cwd } = await gitops({ graph: text });
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  test('rejects a graph that render refuses, and takes it where the cluster has what it needs', async () => {
    const worker =
      '{componentType: worker, multinode: {nodeCount: 2}, resources: {limits: {gpu: "8"}}, extraPodSpec: {mainContainer: {image: a:1}}}';
    const text = graph('{name: big}', `{Frontend: ${frontend}, Worker: ${worker}}`);
    const refused = await gitops({ graph: text });
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/graph\.yaml:4:\d+ .*multinode/);
    expect(await gitops({ graph: text, more: ['--set', 'grove.enabled=true'] })).toMatchObject({ code: 0 });
    expect(await gitops({ graph: text, more: ['--api-versions', 'grove.io/v1alpha1'] })).toMatchObject({ code: 0 });
  });
});

describe('secrets', () => {
  const secret = object('kind: Secret\nmetadata: {name: hf}\nstringData: {HF_TOKEN: abc}');
  const token = 'hf_abcdefghijklmnopqrstuvwxyz';
  const withEnv = (env: string): string =>
    graph('{name: qwen}', `{Frontend: {componentType: frontend, envs: [${env}], extraPodSpec: {mainContainer: {image: a:1}}}}`);
  test.each([
    ['a Secret', secret, [], 'Secret models/hf: a Secret with content must not go into Git'],
    [
      'a token in envs',
      withEnv('{name: HF_TOKEN, value: abcdef}'),
      [],
      'spec.services.Frontend.envs[0].value: variable HF_TOKEN',
    ],
    ['a token by its form', withEnv(`{name: X, value: ${token}}`), [], 'holds a token or private key'],
    [
      'a token in a ConfigMap',
      object(`kind: ConfigMap\nmetadata: {name: c}\ndata: {api_key: abcdefgh}`),
      [],
      'data.api_key: key api_key',
    ],
    [
      'a password in a file of a ConfigMap',
      object('kind: ConfigMap\nmetadata: {name: c}\ndata: {app.yaml: "db:\\n  password: hunter2\\n"}'),
      [],
      'key password holds',
    ],
    [
      'an address of NATS',
      graph(),
      ['--set', 'dynamo-operator.natsAddr=nats://user:pw@bus:4222'],
      'holds an address with a user and password',
    ],
    [
      'an address of etcd',
      graph(),
      ['--set', 'dynamo-operator.etcdAddr=http://user:pw@store:2379'],
      'holds an address with a user and password',
    ],
    [
      'an address of Prometheus',
      graph(),
      ['--set', 'dynamo-operator.dynamo.metrics.prometheusEndpoint=https://u:p@prometheus'],
      'holds an address with a user and password',
    ],
    ['the environment of NATS', graph(), ['--set', 'nats.container.env.MY_PASSWORD=hunter2'], 'variable MY_PASSWORD holds'],
    [
      'the environment of etcd',
      graph(),
      ['--set', 'etcd.extraEnvVars[0].name=ROOT_PASSWORD,etcd.extraEnvVars[0].value=hunter2'],
      'variable ROOT_PASSWORD holds',
    ],
    [
      'a Secret among the extra objects of NATS',
      graph(),
      ['--set-json', 'nats.extraResources=[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"a":"b"}}]'],
      'Secret dynamo-system/s: a Secret with content',
    ],
  ])('rejects %s and names the way out, never the secret', async (_, text, more, message) => {
    const { code, err, cwd } = await gitops({ graph: text, more });
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain('ExternalSecret or a SealedSecret');
    expect(err).toContain('--allow-secrets');
    expect(err).not.toMatch(/hunter2|abcdef|hf_abc|:pw@|u:p@/);
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  test('are written when the user insists', async () => {
    const { cwd, code } = await gitops({ graph: secret, more: ['--allow-secrets'] });
    expect(code).toBe(0);
    expect(readdirSync(join(cwd, 'out/2-graphs'))).toContain('07-extras-secret-models.hf.yaml');
  });

  test.each([
    ['a reference to one', withEnv('{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}')],
    ['a variable that is filled in', withEnv('{name: HF_TOKEN, value: $(OTHER)}')],
    ['a path of one', withEnv('{name: HF_TOKEN, value: /run/secrets/token}')],
    ['a number of tokens', withEnv('{name: MAX_TOKEN, value: "4096"}')],
    ['an empty Secret', object('kind: Secret\nmetadata: {name: empty}')],
    [
      'an ExternalSecret',
      'apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: hf}\nspec: {secretStoreRef: {name: vault}}\n',
    ],
    ['an address with a user alone', withEnv('{name: REPO, value: "ssh://git@git.example.com/x"}')],
  ])('are not %s', async (_, text) => {
    expect(await gitops({ graph: text })).toMatchObject({ code: 0 });
  });
});

describe('environments', () => {
  const two = ['--env', 'test=none.yaml', '--env', 'production=none.yaml', '--repo-url', 'https://git.example.com/x.git'];
  test.each([
    ['argocd', "both go to the controller's own cluster", '--env-server production='],
    ['flux', "both go to the controller's own cluster", '--env-kubeconfig production='],
  ])('rejects two on one cluster, layout %s', async (layout, message, option) => {
    const { code, err } = await gitops({ layout, more: two });
    expect(code).toBe(1);
    expect(err).toContain(`environments test and production ${message}`);
    expect(err).toContain(option);
  });

  test.each([
    ['the same', ['test=https://a:6443', 'production=https://a:6443'], 'the API server https://a:6443'],
    ['another spelling', ['test=https://A:6443/', 'production=https://a:6443'], 'the API server https://a:6443'],
    ['a port that goes without saying', ['test=https://a', 'production=https://a:443'], 'the API server https://a'],
    ["the controller's own", ['production=https://kubernetes.default.svc'], "the controller's own cluster"],
    ['its own with a port', ['production=https://kubernetes.default.svc:443/'], "the controller's own cluster"],
  ])('rejects two with one API server: %s', async (_, given, where) => {
    const { code, err } = await gitops({ layout: 'argocd', more: [...two, ...given.flatMap((s) => ['--env-server', s])] });
    expect(err).toContain(`environments test and production both go to ${where}`);
    expect(code).toBe(1);
  });

  test('each has its own server and namespace in Argo CD', async () => {
    const targets = ['--env-server', 'production=https://p:6443', '--env-namespace', 'production=dynamo-p'];
    const { cwd, code } = await gitops({ layout: 'argocd', more: [...two, ...targets] });
    expect(code).toBe(0);
    expect(read(cwd, 'out/argocd/applicationset-dynamo.yaml').spec.generators[0].list.elements).toEqual([
      { name: 'test', namespace: 'dynamo-system', server: 'https://kubernetes.default.svc' },
      { name: 'production', namespace: 'dynamo-p', server: 'https://p:6443' },
    ]);
    expect(read(cwd, 'out/argocd/appproject-dynamo.yaml').spec.destinations).toEqual([
      { server: 'https://kubernetes.default.svc', namespace: 'dynamo-system' },
      { server: 'https://kubernetes.default.svc', namespace: 'kube-system' },
      { server: 'https://kubernetes.default.svc', namespace: 'models' },
      { server: 'https://p:6443', namespace: 'dynamo-p' },
      { server: 'https://p:6443', namespace: 'kube-system' },
      { server: 'https://p:6443', namespace: 'models' },
    ]);
    expect(readdirSync(join(cwd, 'out/manifests/production'))).toContain('00-namespaces-namespace-dynamo-p.yaml');
  });

  test('each has its own kubeconfig in Flux', async () => {
    const { cwd } = await gitops({ layout: 'flux', more: [...two, '--env-kubeconfig', 'production=prod-kubeconfig'] });
    const steps = parseAllDocuments(readFileSync(join(cwd, 'out/flux/dynamo.yaml'), 'utf8'))
      .map((d) => d.toJS())
      .filter((o) => o.kind === 'Kustomization');
    for (const { metadata, spec } of steps)
      expect(spec.kubeConfig, metadata.name).toEqual(
        metadata.name.startsWith('dynamo-production-') ? { secretRef: { name: 'prod-kubeconfig' } } : undefined,
      );
  });

  test.each([
    [['--env', 'production'], '--env production: write NAME=VALUES, such as production=prod.yaml'],
    [['--env', 'Prod=none.yaml'], '--env Prod=none.yaml: write NAME=VALUES'],
    [['--env-server', 'x=https://a'], '--env-server x=https://a: there is no --env x'],
    [['--env', 'x=none.yaml', '--env-server', 'x=a'], "--env-server x: must be the https address of an API server, got 'a'"],
    [['--env', 'x=none.yaml', '--env-server', 'x=https://['], '--env-server x: must be the https address of an API server'],
    [['--env', 'x=none.yaml', '--env-kubeconfig', 'x=A b'], "its kubeconfig must be the name of a Secret, got 'A b'"],
    [['--path', 'a/../../b'], "--path: must be a folder of the repository without .., got 'a/../../b'"],
    [['--revision', 'two words'], "--revision: must be a branch, tag or commit, got 'two words'"],
    [['--env', 'x=none.yaml', '--env-namespace', 'x=a', '--env-namespace', 'x=b'], '--env-namespace x: is given 2 times'],
  ])('rejects %j', async (more, message) => {
    const { code, err } = await gitops({ layout: 'kustomize', more });
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

describe('the address of the repository', () => {
  test.each([
    ['flux', 'git@github.com:org/repo.git', 'that Flux takes'],
    ['flux', 'not-a-url', 'that Flux takes'],
    ['argocd', 'not-a-url', 'that Argo CD takes'],
    ['argocd', 'https://user:token@git.example.com/x.git', 'must not hold a password or token'],
    ['flux', 'https://ghp_token@git.example.com/x.git', 'must not hold a password or token'],
  ])('rejected, layout %s: %s', async (layout, url, message) => {
    const { code, err } = await gitops({ layout, more: ['--repo-url', url] });
    expect(code).toBe(1);
    expect(err).toContain(`--repo-url: must`);
    expect(err).toContain(message);
    expect(err).not.toContain('token@');
  });

  test.each([
    ['argocd', 'git@github.com:org/repo.git'],
    ['flux', 'ssh://git@github.com/org/repo.git'],
    ['argocd', 'https://git.example.com/org/repo.git'],
  ])('taken, layout %s: %s', async (layout, url) => {
    expect(await gitops({ layout, more: ['--repo-url', url] })).toMatchObject({ code: 0 });
  });

  test('missing is said', async () => {
    expect((await gitops({ layout: 'flux' })).err).toContain('--repo-url: layout flux needs the address');
  });
});

describe('prerequisites', () => {
  test('are those of platform, on stderr and in the README', async () => {
    const notes = (err: string): readonly string[] => err.split('\n').filter((line) => line.startsWith('note: '));
    const more = ['--set', 'grove.enabled=true'];
    const { cwd, err } = await gitops({ more });
    const expected = notes((await run(['platform', ...more])).err);
    expect(expected.length).toBeGreaterThan(2);
    expect(notes(err)).toEqual(expected);
    const readme = readFileSync(join(cwd, 'out/README.md'), 'utf8');
    for (const note of expected) expect(readme).toContain(`- ${note.slice('note: '.length)}\n`);
  });

  test('the README of Argo CD explains its patch', async () => {
    const { cwd } = await gitops({ layout: 'argocd', more: ['--repo-url', 'https://git.example.com/x.git'] });
    expect(readFileSync(join(cwd, 'out/README.md'), 'utf8')).toContain(
      'kubectl patch -n argocd configmap argocd-cm --patch-file',
    );
  });
});

describe('charts', () => {
  test.each([
    [['--chart', 'crds'], 'plain', '--chart crds: only layout helm writes charts'],
    [['--chart-version', '1.0.0'], 'plain', '--chart-version: only layout helm writes charts'],
    [['--chart-version', 'latest'], 'helm', "--chart-version: must be a semantic version such as 1.2.3, got 'latest'"],
    [['--env', 'a=none.yaml'], 'helm', '--env: a chart has one values file'],
    [['--profile', 'parity'], 'helm', '--profile: the chart is made for the profile secure'],
  ])('rejects %j with layout %s', async (more, layout, message) => {
    const { code, err } = await gitops({ layout, more });
    expect(code).toBe(1);
    expect(err).toContain(message);
  });

  test('of CRDs alone', async () => {
    const cwd = folderWith({});
    const { out } = await run(['gitops', '--layout', 'helm', '--chart', 'crds', '--chart-version', '4.5.6', '-o', 'c'], { cwd });
    expect(out.split('\n').filter((line) => line.startsWith('c/templates/'))).toHaveLength(6);
    expect(read(cwd, 'c/Chart.yaml')).toMatchObject({ name: 'dynamo-crds', version: '4.5.6' });
  });
});
