import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { gitops, read } from './gitops.ts';
import { folderWith, run } from './run.ts';

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

  test.each([
    ['flux', ['--env-server', 'test=https://a:6443'], 'Flux finds its cluster by kubeConfig only', '--env-kubeconfig test='],
    ['argocd', ['--env-kubeconfig', 'test=test-kubeconfig'], 'Argo CD finds its cluster by server only', '--env-server test='],
  ])('rejects a cluster that the controller does not read, layout %s', async (layout, given, message, option) => {
    const more = ['--env', 'test=none.yaml', '--repo-url', 'https://git.example.com/x.git', ...given];
    const { code, err } = await gitops({ layout, more });
    expect(err).toContain(`environment test: ${message}, and would deploy to its own cluster; use ${option}`);
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
    [['--env', 'production'], '--env production: must be NAME=VALUES, such as production=prod.yaml'],
    [['--env', 'Prod=none.yaml'], '--env Prod=none.yaml: must be NAME=VALUES'],
    [['--env-server', 'x=https://a'], '--env-server x=https://a: there is no --env x'],
    [['--env', 'x=none.yaml', '--env-server', 'x=a'], "--env-server x: must be the https address of an API server, got 'a'"],
    [['--env', 'x=none.yaml', '--env-server', 'x=https://['], '--env-server x: must be the https address of an API server'],
    [['--env', 'x=none.yaml', '--env-kubeconfig', 'x=A b'], "its kubeconfig must be the name of a Secret, got 'A b'"],
    [['--path', 'a/../../b'], "--path: must be a folder of the repository without .., got 'a/../../b'"],
    [['--revision', 'two words'], "--revision: must be a branch, tag or commit, got 'two words'"],
    [
      ['--env', 'x=none.yaml', '--env-namespace', 'x=a', '--env-namespace', 'x=b'],
      '--env-namespace x: must be given at most once, got 2 values',
    ],
  ])('rejects %j', async (more, message) => {
    const { code, err } = await gitops({ layout: 'kustomize', more });
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

describe('the address of the repository', () => {
  test.each([
    ['flux', 'git@github.com:org/repo.git', 'that Flux accepts'],
    ['flux', 'not-a-url', 'that Flux accepts'],
    ['argocd', 'not-a-url', 'that Argo CD accepts'],
    ['argocd', 'https://user:token@git.example.com/x.git', 'must not contain a password or token'],
    ['flux', 'https://ghp_token@git.example.com/x.git', 'must not contain a password or token'],
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

describe('options without effect', () => {
  test.each([
    ['plain', ['--repo-url', 'https://git.example.com/x.git'], '--repo-url: has no effect: nothing that layout plain writes'],
    ['kustomize', ['--revision', 'v1'], '--revision: has no effect: nothing that layout kustomize writes'],
    [
      'plain',
      ['--env', 'a=none.yaml', '--env-server', 'a=https://a'],
      '--env-server: has no effect: only layout argocd reads it',
    ],
    ['plain', ['--env', 'a=none.yaml', '--env-kubeconfig', 'a=b'], '--env-kubeconfig: has no effect: only layout flux reads it'],
  ])('are told, layout %s: %j, and fail with --strict', async (layout, more, message) => {
    const values = ['--set', 'platform.networkPolicy.allowAllNamespaces=true'];
    const { code, err } = await gitops({ layout, more: [...values, ...more] });
    expect(err).toContain(`warning: ${message}`);
    expect(code).toBe(0);
    expect(await gitops({ layout, more: [...values, ...more, '--strict'] })).toMatchObject({ code: 1 });
    expect(await gitops({ layout, more: [...values, '--strict'] })).toMatchObject({ code: 0 });
  });

  test('are told, layout helm', async () => {
    const { code, err } = await gitops({ layout: 'helm', more: ['--path', 'a'] });
    expect(err).toContain('warning: --path: has no effect: nothing that layout helm writes');
    expect(code).toBe(0);
  });

  test('are told of --graph-namespace where there are no graphs', async () => {
    const words = ['gitops', '--layout', 'plain', '-o', 'out', '--graph-namespace', 'llm'];
    const { err } = await run(words, { cwd: folderWith({}) });
    expect(err).toContain('warning: --graph-namespace: has no effect without --graph');
  });
});

test('what environments have in common is said once, and nothing of what none of them deploys', async () => {
  const closed = '{platform: {networkPolicy: {allowAllNamespaces: true}}, etcd: {enabled: false}}';
  const cwd = folderWith({ 'open.yaml': '{etcd: {enabled: false}}', 'closed.yaml': closed });
  const argv = ['gitops', '--layout', 'kustomize', '-o', 'out'];
  const both = await run([...argv, '--env', 'a=open.yaml', '--env', 'b=open.yaml'], { cwd });
  expect(both.err.match(/nats: is open to the pods of every namespace/g)).toHaveLength(1);
  expect(both.err).not.toContain('etcd: is open');
  expect(await run([...argv, '--strict', '--env', 'a=closed.yaml'], { cwd })).toMatchObject({ code: 0 });
});
