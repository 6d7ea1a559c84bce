import type { KubernetesObject } from '../../lib/api/index.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { byteOrder, type JsonObject } from '../../lib/json/index.ts';
import { atPath } from '../../lib/platform/go-values.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { switches, type SwitchName } from '../../lib/platform/switches.ts';
import { stepsOf, strayCommands } from './shell-steps.ts';
import { players } from './stage.ts';

const root = resolve(import.meta.dirname, '../..');
const docs = join(root, 'docs');
const pages = ['operations.md', ...readdirSync(join(docs, 'operations')).map((file) => `operations/${file}`)];
const read = (page: string): string => readFileSync(join(docs, page), 'utf8');

/** What no test here can run, and why. A block that is neither run nor here has no business in the pages. */
const notRun: Readonly<Record<string, number>> = {
  "operations.md: the webhooks answer only where the operator's pods run": 1,
  'operations.md: needs pods that run': 1,
  'operations.md: a verb of this repository': 22,
  'operations/air-gapped.md: needs registries to copy from and to': 1,
  'operations/clouds.md: needs an account of the cloud': 3,
  'operations/clouds.md: needs the charts of other projects, from their registries': 1,
  'operations/observability.md: logs are served by a kubelet': 2,
  'operations/troubleshooting.md: needs pods that run': 1,
  'operations/troubleshooting.md: needs a StorageClass that can enlarge volumes': 1,
};

test('what is not run is known, with its reason', () => {
  const found: Record<string, number> = {};
  for (const page of pages)
    for (const { kind, detail } of stepsOf(read(page)))
      if (kind === 'not run') found[`${page}: ${detail}`] = (found[`${page}: ${detail}`] ?? 0) + 1;
  expect(found).toEqual(notRun);
});

describe.each(pages)('docs/%s', (page) => {
  const steps = stepsOf(read(page));

  test('has its commands in blocks and tables, where they are run', () => {
    expect(strayCommands(read(page))).toEqual([]);
  });

  test('plays nobody whom nobody can play', () => {
    for (const { played } of steps) if (played !== undefined) expect(Object.keys(players)).toContain(played);
  });

  test('names verbs of npm that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    for (const { text } of steps)
      for (const [, verb = ''] of text.matchAll(/^npm (?:run )?([a-z:]+)/gm)) expect(Object.keys(scripts)).toContain(verb);
  });

  test('links to pages and sections that exist', () => {
    const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
    for (const [, target = '', section = ''] of text.matchAll(/\]\((?!http)([^)#]*)(?:#([^)]*))?\)/g)) {
      const file = target === '' ? join(docs, page) : join(docs, dirname(page), target);
      expect(existsSync(file), `${page} links to ${target}`).toBe(true);
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      );
      if (section !== '') expect(headings, `${page} links to #${section}`).toContain(section);
    }
  });
});

describe('the table of make targets', () => {
  const section = read('operations.md').replace(/^[\s\S]*^## From make to npm$/m, '');
  const rows = [...section.matchAll(/^\| (?!make |-)(.*?) +\| (.*?) +\|$/gm)].map(([, targets = '', here = '']) => ({
    targets,
    here,
  }));
  /** Targets of the Makefile of the original's operator; its tools are in one row. */
  const hygiene = ['fmt', 'vet', 'lint', 'lint-fix'];
  const tests = ['test', 'test-e2e', 'coverage', 'check'];
  const cluster = ['install', 'uninstall', 'deploy', 'undeploy', 'build-installer', 'helm', 'run'];
  const image = ['docker-build', 'docker-push', 'docker-buildx'];
  const made = ['all', 'build', 'manifests', 'generate', 'generate-api-docs', 'ensure-yq', 'kustomize', 'envtest'];

  test('has every target of the original once', () => {
    const named = rows.flatMap(({ targets }) => [...targets.matchAll(/`([a-z0-9-]+)/g)].map(([, target = '']) => target));
    expect(named.toSorted(byteOrder)).toEqual([...hygiene, ...tests, ...cluster, ...image, ...made].toSorted(byteOrder));
    expect(rows.map(({ targets }) => targets).filter((targets) => !targets.startsWith('`'))).toEqual([
      'targets of the endpoint picker',
      'pre-deployment checks',
    ]);
  });

  test('names a command for each, or says why there is none', () => {
    expect(rows.filter(({ here }) => !/`(npm (run )?[a-z:]+|dynamo-cdk8s [a-z]+)/.test(here))).toEqual([
      { targets: 'targets of the endpoint picker', here: 'none: its published image is used' },
      { targets: 'pre-deployment checks', here: '[before the first install](#before-the-first-install)' },
    ]);
  });
});

describe('the table of what each switch restarts', () => {
  const values: JsonObject = {
    'dynamo-operator': {
      controllerManager: { replicas: 2 },
      webhook: { certificateSecret: { external: true }, caBundle: 'Q0E=' },
    },
    nats: { config: { cluster: { enabled: true } } },
    etcd: { replicaCount: 3, auth: { token: { privateKey: { existingSecret: 'key' } } } },
    grove: { enabled: true, replicaCount: 2 },
    'kai-scheduler': { enabled: true, operator: { replicaCount: 2 } },
  };
  const titles: Readonly<Record<string, string>> = {
    'dynamo-operator': 'operator',
    nats: 'NATS',
    etcd: 'etcd',
    grove: 'Grove',
    'kai-scheduler': 'KAI',
  };

  function rendered(on: Partial<Record<SwitchName, boolean>>): ReadonlyMap<string, KubernetesObject & { readonly part: string }> {
    const { byPart, issues } = renderPlatform(values, { profile: 'parity', switches: { 'no-hooks': true, ...on } });
    expect(issues).toEqual([]);
    return new Map(
      byPart.flatMap(({ name, objects }) =>
        objects.map((o) => [`${o.kind} ${o.metadata.name}`, { ...o, part: titles[name] ?? name }]),
      ),
    );
  }

  const table = new Map<string, readonly string[]>();
  for (const [, names = '', restarts = ''] of read('operations/migration.md').matchAll(/^\| (`.*?`|all others) +\| (.*?) +\|$/gm))
    for (const name of names.replaceAll('`', '').split(', '))
      table.set(name, restarts.replace(/, each.*/, '') === 'nothing' ? [] : restarts.replace(/, each.*/, '').split(', '));

  test.each(Object.keys(switches) as SwitchName[])('is right about %s', (name) => {
    const before = rendered({});
    const after = rendered({ [name]: true });
    const restarted = new Set<string>();
    for (const [key, object] of after) {
      const old = before.get(key);
      if (old === undefined || atPath(object, 'spec.template') === undefined) continue;
      if (JSON.stringify(atPath(old, 'spec.template')) !== JSON.stringify(atPath(object, 'spec.template')))
        restarted.add(object.part);
      for (const field of ['selector', 'volumeClaimTemplates', 'serviceName'])
        expect(atPath(object, 'spec', field), `${key} ${field}`).toEqual(atPath(old, 'spec', field));
    }
    expect([...restarted].toSorted()).toEqual([...(table.get(name) ?? table.get('all others') ?? ['no table'])].toSorted());
  });
});
