import type { KubernetesObject } from '../../lib/api/index.ts';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiClient, type ClientOptions } from '../../lib/runtime/api/client.ts';
import { loadClusterConfig, type ClusterConfig } from '../../lib/runtime/api/cluster-config.ts';
import { Discovery } from '../../lib/runtime/api/discovery.ts';
import { ApiError, ConnectionError, errorType, isConflict } from '../../lib/runtime/api/errors.ts';
import type { ObjectKey } from '../../lib/runtime/api/object.ts';
import { Transport, type TransportOptions } from '../../lib/runtime/api/transport.ts';
import { signClientCertificate } from '../control-plane/client-certificates.ts';
import { cluster, describeCluster, holdApiGroups, newNamespace } from '../control-plane/cluster-test.ts';
import { filesOf } from '../control-plane/command-lines.ts';
import { DrivenClock } from '../runtime/driven-clock.ts';
import { calls, FaultProxy } from '../runtime/fault-proxy.ts';
import { RecordedMetrics } from '../runtime/recorded-metrics.ts';
import { startHttpProxy, startSocksProxy } from '../runtime/tunnel-proxies.ts';

function directConfig(): ClusterConfig {
  const { server, ca } = cluster().connection;
  return {
    server,
    ca: { data: ca },
    token: { data: cluster().user('admin').token },
    insecureSkipTlsVerify: false,
    namespace: 'default',
  };
}

function connect(config: ClusterConfig, options: Partial<TransportOptions> = {}, clientOptions: ClientOptions = {}): ApiClient {
  const transport = new Transport(config, { userAgent: 'manager/test', ...options });
  onTestFinished(() => transport.close());
  return new ApiClient(transport, clientOptions);
}

/** A client behind a proxy that breaks things, with a clock the test moves. */
async function behindProxy(options: Partial<TransportOptions> = {}, clientOptions: ClientOptions = {}) {
  const { server, ca } = cluster().connection;
  const proxy = await FaultProxy.start({ server, ca });
  onTestFinished(() => proxy.stop());
  const clock = new DrivenClock();
  const metrics = new RecordedMetrics();
  const { ca: _, ...config } = directConfig();
  const client = connect({ ...config, server: proxy.url }, { clock, metrics, random: () => 0, ...options }, clientOptions);
  return { proxy, clock, metrics, client };
}

const configMap = (namespace: string, name = 'a', data: Readonly<Record<string, string>> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
  data,
});
const keyIn = (namespace: string, name = 'a'): ObjectKey => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });

async function whoAmI(client: ApiClient): Promise<unknown> {
  const review: KubernetesObject = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: { name: '' } };
  const { status } = await client.create(review);
  return status;
}

describeCluster('the API client', () => {
  describe('reads and writes', () => {
    test('objects, each verb as the API server defines it', async () => {
      const namespace = await newNamespace();
      const client = connect(directConfig());
      const key = keyIn(namespace);
      expect(await client.find(key)).toBeUndefined();
      const made = await client.create(configMap(namespace, 'a', { a: '1' }));
      expect(await client.get(key)).toEqual(made);
      const updated = await client.update({ ...made, data: { a: '2' } });
      await expect(client.update({ ...made, data: { a: '3' } })).rejects.toSatisfy(isConflict);
      expect(updated['data']).toEqual({ a: '2' });
      expect((await client.merge(key, { data: { b: '1' } }))['data']).toEqual({ a: '2', b: '1' });
      expect(await client.delete(key, { uid: made.metadata.uid })).toBeUndefined();
      await expect(client.get(key)).rejects.toMatchObject({
        status: 404,
        reason: 'NotFound',
        message: 'configmaps "a" not found',
      });
    });

    test('deletes, telling what is gone from what stays for a while, whatever the server answers', async () => {
      const namespace = await newNamespace();
      const client = connect(directConfig());
      const make = async (kind: string, more: object, finalizers: readonly string[]): Promise<KubernetesObject | undefined> => {
        const object = { apiVersion: 'v1', kind, metadata: { namespace, name: 'x', finalizers }, ...more };
        const { metadata } = await client.create(object);
        return client.delete({ apiVersion: 'v1', kind, namespace, name: 'x' }, { uid: metadata.uid ?? '' });
      };
      const pod = { spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } };
      expect(await make('ConfigMap', {}, [])).toBeUndefined();
      // The answer is the Service as it was.
      expect(await make('Service', { spec: { ports: [{ port: 80 }] } }, [])).toBeUndefined();
      expect(await make('ServiceAccount', {}, ['example.com/hold'])).toMatchObject({ kind: 'ServiceAccount' });
      expect(await make('Pod', pod, [])).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30 } });
    });

    test('a JSON Patch on another version than the stored one as a conflict', async () => {
      const namespace = await newNamespace();
      const client = connect(directConfig());
      const { metadata } = await client.create(configMap(namespace));
      const patch = (version: string) =>
        client.patch(keyIn(namespace), [
          { op: 'test', path: '/metadata/resourceVersion', value: version },
          { op: 'add', path: '/data', value: { x: 'y' } },
        ]);
      expect((await patch(metadata.resourceVersion ?? ''))['data']).toEqual({ x: 'y' });
      await expect(patch(metadata.resourceVersion ?? '')).rejects.toSatisfy(isConflict);
    });

    test('status and scale', async () => {
      const namespace = await newNamespace();
      const client = connect(directConfig());
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const spec = { replicas: 0, selector: { matchLabels: { a: 'b' } }, template };
      const made = await client.create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'd' }, spec });
      const key = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'd' };
      const { resourceVersion = '' } = (await client.get(key)).metadata;
      await client.updateScale(key, { replicas: 2, resourceVersion }).catch((error: unknown) => {
        // The Deployment controller may have written its status in between.
        expect(isConflict(error)).toBe(true);
        return client.merge(key, { spec: { replicas: 2 } }, 'scale');
      });
      expect(await client.get(key)).toMatchObject({ spec: { replicas: 2 } });
      await expect(client.updateStatus({ ...made, status: { replicas: 7 } })).rejects.toSatisfy(isConflict);
    });

    test('lists page by page, and as a whole where the pages have expired', async () => {
      const namespace = await newNamespace();
      const { client, proxy } = await behindProxy({}, { pageSize: 2 });
      for (const name of ['a', 'b', 'c', 'd', 'e']) await client.create(configMap(namespace, name));
      const list = () =>
        client.list(
          { apiVersion: 'v1', kind: 'ConfigMap' },
          { namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' },
          ({ kind, metadata }) => [kind, metadata.name],
        );
      const whole = ['a', 'b', 'c', 'd', 'e'].map((name) => ['ConfigMap', name]);
      const first = await list();
      expect(first.items).toEqual(whole);
      const limits = proxy.requests.filter(calls('GET')).map(({ query }) => query.get('limit'));
      expect(limits).toEqual(['2', '2', '2']);
      proxy.inject((request) => request.query.has('continue'), { answer: 410, reason: 'Expired' });
      expect((await list()).items).toEqual(whole);
      expect(proxy.requests.at(-1)?.query.has('limit')).toBe(false);
    });
  });

  describe('under faults', () => {
    test('waits as long as the server asks for, and counts every try', async () => {
      const { client, proxy, clock, metrics } = await behindProxy();
      proxy.inject(calls('GET'), { answer: 429, reason: 'TooManyRequests', retryAfter: 3 }, 2);
      const read = client.get(keyIn('default', 'kube-root-ca.crt'));
      await proxy.until(() => proxy.requests.length === 1);
      await clock.until(() => clock.nextIn === 3000);
      await clock.advance(3000);
      await proxy.until(() => proxy.requests.length === 2);
      await clock.until(() => clock.nextIn === 3000);
      await clock.advance(3000);
      expect((await read).metadata.name).toBe('kube-root-ca.crt');
      const { host } = new URL(proxy.url);
      expect(metrics.value('rest_client_requests_total', { code: '429', method: 'GET', host })).toBe(2);
      expect(metrics.value('rest_client_requests_total', { code: '200', method: 'GET', host })).toBe(1);
    });

    test('gives server errors that name no time to the caller, typed', async () => {
      const { client, proxy } = await behindProxy();
      proxy.inject(calls('GET'), { answer: 500, reason: 'InternalError', message: 'etcd is away' });
      const error: unknown = await client.get(keyIn('default')).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status: 500, reason: 'InternalError', message: 'etcd is away' });
      expect([errorType(error), proxy.requests.length]).toEqual(['internal', 1]);
    });

    test('reads again what was cut off, and does not write twice', async () => {
      const namespace = await newNamespace();
      const { client, proxy, clock } = await behindProxy();
      proxy.inject(calls('POST'), { drop: 'answer' });
      const write = client.create(configMap(namespace));
      await expect(write).rejects.toMatchObject({ name: 'ConnectionError', code: 'cut_off' });
      expect(proxy.requests.length).toBe(1);
      proxy.inject(calls('GET'), { drop: 'answer' });
      const read = client.get(keyIn(namespace));
      await proxy.until(() => proxy.requests.length === 2);
      await clock.until(() => clock.nextIn === 50);
      await clock.advance(50);
      expect((await read).metadata.name).toBe('a');
    });

    test.each([
      ['in single bytes', { pieces: 1 }, 1],
      ['in odd pieces', { pieces: 7 }, 1],
      ['after it was cut in the middle', { cutAfter: 400 }, 2],
    ])('understands an answer that comes %s, characters of several bytes included', async (_, fault, tries) => {
      const namespace = await newNamespace();
      const { client, proxy, clock } = await behindProxy();
      const data = { text: '\u00fc\u20ac\u{1f600}'.repeat(100) };
      await client.create(configMap(namespace, 'a', data));
      proxy.inject(calls('GET'), fault);
      const read = client.get(keyIn(namespace));
      if (tries > 1) {
        await clock.until(() => clock.nextIn === 50);
        await clock.advance(50);
      }
      expect((await read)['data']).toEqual(data);
      expect(proxy.requests.filter(calls('GET')).length).toBe(tries);
    });

    test.each([
      ['never begins', { until: new Promise(() => {}) }],
      ['stops in the middle', { freezeAfter: 10 }],
    ])('gives up an answer that %s, in time', async (_, fault) => {
      const { client, proxy, clock } = await behindProxy();
      proxy.inject(calls('GET'), fault);
      const read = client.get(keyIn('default', 'kube-root-ca.crt')).catch((cause: unknown) => cause);
      await proxy.until(() => proxy.requests.length === 1);
      await clock.advance(30_000);
      expect(await read).toMatchObject({ name: 'ConnectionError', code: 'timeout' });
      expect(clock.pending).toBe(0);
    });

    test('stops when it is told to, with the reason it was given', async () => {
      const { client, proxy, clock } = await behindProxy();
      proxy.inject(calls('GET'), { until: new Promise(() => {}) });
      const stop = new AbortController();
      const read = client.get(keyIn('default'), stop.signal).catch((cause: unknown) => cause);
      await proxy.until(() => proxy.requests.length === 1);
      const reason = new Error('the process ends');
      stop.abort(reason);
      expect(await read).toBe(reason);
      expect(await client.get(keyIn('default'), stop.signal).catch((cause: unknown) => cause)).toBe(reason);
      expect(clock.pending).toBe(0);
    });

    test('asks before each write is sent, at the last moment', async () => {
      const namespace = await newNamespace();
      let isLeader = true;
      const lost = new Error('no longer the leader');
      const beforeWrite = (): void => {
        if (!isLeader) throw lost;
      };
      const { client, proxy, clock } = await behindProxy({ connections: 1 }, { beforeWrite });
      let answer = (): void => {};
      proxy.inject(calls('GET'), {
        until: new Promise<void>((resolve) => {
          answer = resolve;
        }),
      });
      const read = client.get(keyIn(namespace, 'kube-root-ca.crt')).catch(() => undefined);
      await proxy.until(() => proxy.requests.length === 1);
      // The only connection is taken: the write waits for it while leadership is lost.
      const write = client.create(configMap(namespace)).catch((cause: unknown) => cause);
      isLeader = false;
      answer();
      await read;
      expect(await write).toBe(lost);
      expect(proxy.requests.some(calls('POST'))).toBe(false);
      isLeader = true;
      proxy.inject(calls('POST'), { answer: 429, retryAfter: 1 });
      const retried = client.create(configMap(namespace)).catch((cause: unknown) => cause);
      await proxy.until(() => proxy.requests.some(calls('POST')));
      isLeader = false;
      await clock.until(() => clock.nextIn === 1000);
      await clock.advance(1000);
      expect(await retried).toBe(lost);
      expect(await cluster().client.get(configMap(namespace))).toMatchObject({ status: 404 });
    });
  });

  describe('identifies itself', () => {
    const folder = async (): Promise<string> => {
      const path = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-credentials-'));
      onTestFinished(() => rm(path, { recursive: true }));
      return path;
    };
    const userInfo = (username: string) => ({ userInfo: expect.objectContaining({ username }) as unknown });

    test('by a token file, read again after a while and when it is not accepted', async () => {
      const file = join(await folder(), 'token');
      const clock = new DrivenClock();
      await writeFile(file, `${cluster().user('admin').token}\n`);
      const client = connect({ ...directConfig(), token: { file } }, { clock });
      expect(await whoAmI(client)).toMatchObject(userInfo('admin'));
      await writeFile(file, cluster().user('alice').token);
      expect(await whoAmI(client)).toMatchObject(userInfo('admin'));
      await clock.advance(10_000);
      expect(await whoAmI(client)).toMatchObject(userInfo(cluster().user('alice').username));
      await rm(file);
      await clock.advance(10_000);
      expect(await whoAmI(client)).toMatchObject(userInfo(cluster().user('alice').username));
      await writeFile(file, 'no token at all');
      await clock.advance(10_000);
      await expect(whoAmI(client)).rejects.toMatchObject({ status: 401 });
      await writeFile(file, cluster().user('admin').token);
      expect(await whoAmI(client)).toMatchObject(userInfo('admin'));
    });

    test('by an exec plugin, run again when its credential expires or is not accepted', async () => {
      const path = await folder();
      const token = join(path, 'token');
      const runs = join(path, 'runs');
      const command = join(path, 'login');
      const expires = '2026-01-01T00:05:00Z';
      const print = `printf '{"apiVersion":"%s","kind":"ExecCredential","status":{"token":"%s","expirationTimestamp":"%s"}}'`;
      await writeFile(
        command,
        `#!/bin/sh\necho "$KUBERNETES_EXEC_INFO" >> ${runs}\n${print} "$VERSION" "$(cat ${token})" "${expires}"\n`,
      );
      await chmod(command, 0o755);
      await writeFile(token, cluster().user('admin').token);
      const apiVersion = 'client.authentication.k8s.io/v1';
      const exec = { apiVersion, command, args: [], env: { VERSION: apiVersion }, provideClusterInfo: true };
      const { token: _, ...config } = directConfig();
      const clock = new DrivenClock();
      const client = connect({ ...config, exec }, { clock, env: { PATH: process.env['PATH'] } });
      const countRuns = async (): Promise<number> => (await readFile(runs, 'utf8')).trim().split('\n').length;
      expect(await whoAmI(client)).toMatchObject(userInfo('admin'));
      await clock.advance(60_000);
      expect(await whoAmI(client)).toMatchObject(userInfo('admin'));
      expect(await countRuns()).toBe(1);
      const [info = ''] = (await readFile(runs, 'utf8')).split('\n');
      expect(JSON.parse(info)).toMatchObject({
        kind: 'ExecCredential',
        spec: { interactive: false, cluster: { server: config.server } },
      });
      await writeFile(token, cluster().user('alice').token);
      await clock.advance(240_000);
      expect(await whoAmI(client)).toMatchObject(userInfo(cluster().user('alice').username));
      expect(await countRuns()).toBe(2);
    });

    test('fails with what to do when an exec plugin is missing, and repeats nothing it printed', async () => {
      const { token: _, ...config } = directConfig();
      const plugin = { apiVersion: 'client.authentication.k8s.io/v1', args: [], env: {}, provideClusterInfo: false };
      const missing = connect({ ...config, exec: { ...plugin, command: '/absent/login', installHint: 'install it from here' } });
      await expect(whoAmI(missing)).rejects.toThrow('exec plugin /absent/login: is not installed; install it from here');
      const broken = connect({ ...config, exec: { ...plugin, command: '/bin/sh', args: ['-c', 'echo s3cret; exit 3'] } });
      await expect(whoAmI(broken)).rejects.toThrow(/^exec plugin \/bin\/sh: ended with exit code 3$/);
      const odd = connect({ ...config, exec: { ...plugin, command: '/bin/sh', args: ['-c', 'echo s3cret'] } });
      await expect(whoAmI(odd)).rejects.toThrow(/^exec plugin \/bin\/sh: printed no JSON object on standard output$/);
    });

    test('by a certificate, from the kubeconfig itself or from files, which are read again', async () => {
      const { server, ca, folder: plane } = cluster().connection;
      const path = await folder();
      const authority = filesOf(plane);
      const [jane, joe] = [
        await signClientCertificate(authority, 'jane', ['dev', 'ops']),
        await signClientCertificate(authority, 'joe'),
      ];
      const base64 = (text: string): string => Buffer.from(text).toString('base64');
      const load = async (user: Readonly<Record<string, string>>, clock: DrivenClock): Promise<ApiClient> => {
        const kubeconfig = join(path, 'kubeconfig');
        const clusters = [{ name: 'c', cluster: { server, 'certificate-authority-data': base64(ca) } }];
        const contexts = [{ name: 'x', context: { cluster: 'c', user: 'u' } }];
        const config = { 'current-context': 'x', clusters, contexts, users: [{ name: 'u', user }] };
        await writeFile(kubeconfig, JSON.stringify(config));
        return connect(await loadClusterConfig({ kubeconfig, env: {}, serviceAccount: path }), { clock });
      };
      const data = { 'client-certificate-data': base64(jane.certificate), 'client-key-data': base64(jane.key) };
      expect(await whoAmI(await load(data, new DrivenClock()))).toMatchObject({
        userInfo: { username: 'jane', groups: ['dev', 'ops', 'system:authenticated'] },
      });

      const clock = new DrivenClock();
      await writeFile(join(path, 'tls.crt'), jane.certificate);
      await writeFile(join(path, 'tls.key'), jane.key);
      const client = await load({ 'client-certificate': 'tls.crt', 'client-key': 'tls.key' }, clock);
      expect(await whoAmI(client)).toMatchObject(userInfo('jane'));
      await writeFile(join(path, 'tls.crt'), joe.certificate);
      await writeFile(join(path, 'tls.key'), joe.key);
      await clock.advance(10_000);
      expect(await whoAmI(client)).toMatchObject(userInfo('joe'));
    });

    test('as somebody else', async () => {
      const impersonate = { user: 'jane', groups: ['dev', 'ops'], extra: { 'example.com/ticket': ['1'] } };
      const client = connect({ ...directConfig(), impersonate });
      expect(await whoAmI(client)).toMatchObject({
        userInfo: { username: 'jane', groups: ['dev', 'ops', 'system:authenticated'], extra: { 'example.com/ticket': ['1'] } },
      });
    });
  });

  describe('knows the server', () => {
    test('by a CA file, read again when the certificate is not trusted', async () => {
      const path = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-ca-'));
      onTestFinished(() => rm(path, { recursive: true }));
      const file = join(path, 'ca.crt');
      await writeFile(file, rootCertificates[0] ?? '');
      const client = connect({ ...directConfig(), ca: { file } });
      await expect(client.get(keyIn('default'))).rejects.toMatchObject({ code: 'unreachable' });
      await writeFile(file, cluster().connection.ca);
      expect((await client.get(keyIn('default', 'kube-root-ca.crt'))).metadata.name).toBe('kube-root-ca.crt');
    });

    test('under another name, or not at all when told not to look', async () => {
      const { ca: _, ...config } = directConfig();
      const read = (changes: Partial<ClusterConfig>) =>
        connect({ ...directConfig(), ...changes }).get(keyIn('default', 'kube-root-ca.crt'));
      for (const tlsServerName of ['kubernetes.default.svc', '127.0.0.1'])
        expect((await read({ tlsServerName })).kind).toBe('ConfigMap');
      await expect(read({ tlsServerName: '10.9.8.7' })).rejects.toMatchObject({ code: 'unreachable' });
      await expect(read({ tlsServerName: 'other.example.com' })).rejects.toMatchObject({ code: 'unreachable' });
      const blind = connect({ ...config, insecureSkipTlsVerify: true });
      expect((await blind.get(keyIn('default', 'kube-root-ca.crt'))).kind).toBe('ConfigMap');
    });

    test.each([
      ['HTTP', startHttpProxy],
      ['SOCKS', startSocksProxy],
    ])('through a proxy that speaks %s, with user name and password', async (_, start) => {
      const password = randomBytes(8).toString('hex');
      const proxy = await start('me', password);
      onTestFinished(() => proxy.stop());
      const client = connect({ ...directConfig(), proxyUrl: proxy.url });
      expect((await client.get(keyIn('default', 'kube-root-ca.crt'))).kind).toBe('ConfigMap');
      expect(proxy.targets).toEqual([new URL(cluster().connection.server).host]);
      const wrong = connect({ ...directConfig(), proxyUrl: proxy.url.replace(password, 'wrong') });
      const error: unknown = await wrong.get(keyIn('default')).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(String(error)).not.toContain('wrong');
    });
  });

  test('takes the proxy of the environment to the server, but for hosts it leaves out', async () => {
    const { port } = new URL(cluster().connection.server);
    const proxy = await startHttpProxy('me', 'secret', { 'kubernetes.default.svc': '127.0.0.1' });
    onTestFinished(() => proxy.stop());
    const config = { ...directConfig(), server: `https://kubernetes.default.svc:${port}` };
    const through = connect(config, { env: { HTTPS_PROXY: proxy.url, NO_PROXY: 'example.com,10.0.0.0/8' } });
    expect((await through.get(keyIn('default', 'kube-root-ca.crt'))).kind).toBe('ConfigMap');
    expect(proxy.targets).toEqual([`kubernetes.default.svc:${port}`]);
    // Without the proxy nobody here knows that name.
    const past = connect(config, { env: { HTTPS_PROXY: proxy.url, NO_PROXY: '.svc' } }, { retry: false });
    await expect(past.get(keyIn('default'))).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('asks which APIs are served with a small request while nothing changes', async () => {
    const release = await holdApiGroups([]);
    onTestFinished(release);
    const client = connect(directConfig());
    const discovery = new Discovery(client.transport);
    const before = await discovery.ask();
    expect(before.groups.has('apps')).toBe(true);
    expect([
      before.serves({ apiVersion: 'apps/v1', kind: 'Deployment' }),
      before.serves({ apiVersion: 'apps/v1', kind: 'Absent' }),
    ]).toEqual([true, false]);
    expect(await discovery.ask()).toBe(before);
  });
});
