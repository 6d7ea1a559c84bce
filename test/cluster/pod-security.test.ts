import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { podSecurityViolations } from '../../lib/lint/pod-security.ts';
import { cluster, describeCluster } from '../control-plane/cluster-test.ts';
import { pods } from '../pod-security-pods.ts';

const folder = mkdtempSync(join(tmpdir(), 'pod-security-'));
afterAll(() => rmSync(folder, { recursive: true }));
const nameOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

describeCluster('Pod Security of a real API server', () => {
  test.each(['baseline', 'restricted'] as const)('refuses under %s what we predict, and admits the rest', async (level) => {
    const namespace = `pod-security-${level}`;
    const labels = { 'pod-security.kubernetes.io/enforce': level };
    const objects = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
    ];
    writeFileSync(join(folder, 'namespace.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    await cluster().kubectl(['apply', '-f', join(folder, 'namespace.json')]);
    const items = Object.entries(pods).map(([title, spec]) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: nameOf(title), namespace },
      spec,
    }));
    writeFileSync(join(folder, 'pods.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const { stdout, stderr } = await cluster().kubectl(['create', '--dry-run=server', '-f', join(folder, 'pods.json')]);
    const admitted = new Set([...stdout.matchAll(/^pod\/(\S+) created/gm)].map((m) => m[1] ?? ''));
    const refused = new Set([...stderr.matchAll(/pods "(\S+)" is forbidden: violates PodSecurity/g)].map((m) => m[1] ?? ''));
    const other = Object.keys(pods).filter((title) => !admitted.has(nameOf(title)) && !refused.has(nameOf(title)));
    expect(other, stderr).toEqual([]);
    const predicted = Object.entries(pods).filter(([, spec]) => podSecurityViolations(spec, level).length > 0);
    expect(predicted.map(([title]) => nameOf(title)).toSorted()).toEqual([...refused].toSorted());
  });
});
