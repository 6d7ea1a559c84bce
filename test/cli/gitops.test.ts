import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, run } from './run.ts';
import { below, frontend, gitops, graph, object, read } from './gitops.ts';

describe("a user's files", () => {
  const repository = ['--repo-url', 'https://git.example.com/x.git'];
  test.each([
    ['plain', '1-platform/mine.yaml', []],
    ['kustomize', 'overlays/production/sealed.yaml', ['--env', 'production=none.yaml']],
    ['helm', 'templates/mine.yaml', ['--chart', 'crds']],
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
      'kubectl patch -n argocd configmap argocd-cm --patch-file argocd-cm-patch.yaml',
    );
    // a ConfigMap of Argo CD's own name must not be in the folder that is applied
    expect(readdirSync(join(cwd, 'out/argocd')).toSorted()).toEqual([
      'application-dynamo-default.yaml',
      'appproject-dynamo.yaml',
    ]);
  });
});

describe('charts', () => {
  test.each([
    [['--chart', 'crds'], 'plain', '--chart crds: only layout helm writes charts'],
    [['--chart-version', '1.0.0'], 'plain', '--chart-version: only layout helm writes charts'],
    [['--chart-version', 'latest'], 'helm', "--chart-version: must be a semantic version such as 1.2.3, got 'latest'"],
    [['--env', 'a=none.yaml'], 'helm', '--env: a chart has one values file'],
    [['--profile', 'parity'], 'helm', '--profile: layout helm supports only the profile secure'],
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
