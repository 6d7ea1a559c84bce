import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitops, graph, object } from './gitops.ts';

describe('secrets', () => {
  const secret = object('kind: Secret\nmetadata: {name: hf}\nstringData: {HF_TOKEN: abc}');
  const token = 'hf_abcdefghijklmnopqrstuvwxyz';
  const withEnv = (env: string): string =>
    graph('{name: qwen}', `{Frontend: {componentType: frontend, envs: [${env}], extraPodSpec: {mainContainer: {image: a:1}}}}`);
  test.each([
    ['a Secret', secret, [], 'Secret models/hf: a Secret with data must not be committed to Git'],
    [
      'a token in envs',
      withEnv('{name: HF_TOKEN, value: abcdef}'),
      [],
      'spec.services.Frontend.envs[0].value: variable HF_TOKEN',
    ],
    ['a token by its form', withEnv(`{name: X, value: ${token}}`), [], 'contains a token or private key'],
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
      'key password contains',
    ],
    [
      'an address of NATS',
      graph(),
      ['--set', 'dynamo-operator.natsAddr=nats://user:pw@bus:4222'],
      'contains a URL with credentials',
    ],
    [
      'an address of etcd',
      graph(),
      ['--set', 'dynamo-operator.etcdAddr=http://user:pw@store:2379'],
      'contains a URL with credentials',
    ],
    [
      'an address of Prometheus',
      graph(),
      ['--set', 'dynamo-operator.dynamo.metrics.prometheusEndpoint=https://u:p@prometheus'],
      'contains a URL with credentials',
    ],
    ['the environment of NATS', graph(), ['--set', 'nats.container.env.MY_PASSWORD=hunter2'], 'variable MY_PASSWORD contains'],
    [
      'the environment of etcd',
      graph(),
      ['--set', 'etcd.extraEnvVars[0].name=ROOT_PASSWORD,etcd.extraEnvVars[0].value=hunter2'],
      'variable ROOT_PASSWORD contains',
    ],
    [
      'a Secret among the extra objects of NATS',
      graph(),
      ['--set-json', 'nats.extraResources=[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"a":"b"}}]'],
      'Secret dynamo-system/s: a Secret with data',
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

  test('are told together with what else is wrong', async () => {
    const { code, err } = await gitops({ graph: secret, more: ['--set', 'etcd.persistence.size=ten', '--path', '../x'] });
    expect(err).toContain('Secret models/hf: a Secret with data must not be committed to Git');
    expect(err).toContain('etcd.persistence.size: ');
    expect(err).toContain('--path: must be a folder');
    expect(code).toBe(1);
  });
});
