import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheFolder, findTool, locateTool, missingTools } from '../../tools/find.ts';
import { toolNames, tools } from '../../tools/versions.ts';

let folder: string;
let said: string;
const out = { write: (text: string) => (said += text) };

beforeEach(async () => {
  said = '';
  folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-tools-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function program(path: string, script = 'exit 0'): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const environment = () => ({ XDG_CACHE_HOME: join(folder, 'cache'), PATH: join(folder, 'bin') });

// Notes its arguments and writes a program where Go would.
const goThatWorks = `
echo "$@" >> "$CALLS"
while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
echo some/package >&2
echo '#!/bin/sh' > "\${out:-$GOBIN/helm}"; /bin/chmod +x "\${out:-$GOBIN/helm}"`;

describe('a pinned program', () => {
  test('is taken from KUBEBUILDER_ASSETS first, then from the cache', async () => {
    const env = { ...environment(), KUBEBUILDER_ASSETS: join(folder, 'assets') };
    expect(locateTool('etcd', env)).toBeUndefined();
    const cached = await program(join(cacheFolder(env), `etcd-${tools.etcd.version}`, 'etcd'));
    expect(locateTool('etcd', env)).toBe(cached);
    const asset = await program(join(folder, 'assets', 'etcd'));
    expect(await findTool('etcd', env)).toBe(asset);
  });

  test('is looked for under the home directory when XDG_CACHE_HOME is not set', () => {
    expect(cacheFolder({ HOME: '/home/someone' })).toBe('/home/someone/.cache/dynamo-cdk8s/tools');
  });

  test('is built with Go once, however many ask for it at the same time', async () => {
    await program(join(folder, 'bin', 'go'), goThatWorks);
    const env = { ...environment(), CALLS: join(folder, 'calls') };
    const paths = await Promise.all([findTool('kubectl', env, out), findTool('kubectl', env, out), findTool('helm', env, out)]);
    const cache = cacheFolder(env);
    expect(paths).toEqual([
      join(cache, `kubectl-${tools.kubectl.version}`, 'kubectl'),
      join(cache, `kubectl-${tools.kubectl.version}`, 'kubectl'),
      join(cache, `helm-${tools.helm.version}`, 'helm'),
    ]);
    const calls = (await readFile(env.CALLS, 'utf8')).trim().split('\n').toSorted();
    expect(calls).toEqual([
      expect.stringMatching(/^build .*gitVersion=v1\.34\.4 .*k8s\.io\/kubernetes\/cmd\/kubectl$/),
      expect.stringMatching(/^install .*helm\.sh\/helm\/v3\/cmd\/helm@v3\.19\.4$/),
    ]);
  });

  test('is built when the process that was building it died', async () => {
    await program(join(folder, 'bin', 'go'), goThatWorks);
    const env = { ...environment(), CALLS: join(folder, 'calls') };
    await mkdir(cacheFolder(env), { recursive: true });
    await writeFile(join(cacheFolder(env), 'build.lock'), '4194305');
    expect(await findTool('kubectl', env, out, 'tool 2 of 11: ')).toContain('kubectl');
    expect(said).toMatch(/^waiting for another process that builds tools\n/);
    expect(said).toContain(
      'tool 2 of 11: building kubectl v1.34.4 with Go, needed once (applies manifests in tests; about 35 s on two cores)\n',
    );
    expect(said).toMatch(/ {2}kubectl: built after \d s\n$/);
  });

  test('fails with what Go said, and leaves nothing behind that could be taken for a program', async () => {
    await program(join(folder, 'bin', 'go'), 'echo "dial tcp: no route to host" >&2; exit 1');
    const building = findTool('kubectl', environment(), out);
    await expect(building).rejects.toThrow(
      /go could not build kubectl v1\.34\.4 \(exit code 1\)\n {2}\| dial tcp: no route to host\n/,
    );
    expect(await readdir(cacheFolder(environment()))).toEqual([]);
  });

  test('fails with what to install when there is neither the program nor Go', async () => {
    expect(missingTools(['helm'], environment())).toEqual(['helm']);
    await expect(findTool('helm', environment())).rejects.toThrowErrorMatchingInlineSnapshot(`
      [ToolMissingError: not found: helm v3.19.4, and no Go to build with
      to get them, do one of these:
        - install Go 1.24 or newer (https://go.dev/dl) and run again: they are built once, in about 3 min
        - set KUBEBUILDER_ASSETS to a folder that holds these programs]
    `);
  });
});

test('the wrapper modules build the versions of the table', async () => {
  expect(await readFile('tools/lws/go.mod', 'utf8')).toContain(`require sigs.k8s.io/lws ${tools.lws.version}\n`);
  const goMod = await readFile('tools/kubernetes/go.mod', 'utf8');
  const wrapped = toolNames.filter((name) => tools[name].from === 'kubernetes');
  for (const name of wrapped) {
    const module = name === 'etcd' ? 'go.etcd.io/etcd/server/v3' : 'k8s.io/kubernetes';
    expect(goMod, name).toContain(`\t${module} ${tools[name].version}\n`);
  }
  const staging = tools.kubectl.version.replace('v1.', 'v0.');
  const replaced = goMod.split('\n').filter((line) => line.includes(' => '));
  expect(replaced).toHaveLength(31);
  expect(replaced.filter((line) => !line.endsWith(` ${staging}`))).toEqual([]);
});
