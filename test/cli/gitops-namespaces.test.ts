import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitops, graph, object, read } from './gitops.ts';

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

  test('rejects a namespace that none can have, at the option that names it', async () => {
    const { code, err } = await gitops({ more: ['--graph-namespace', 'My_Team'] });
    expect(err).toMatch(/^--graph-namespace: must consist of .*, got 'My_Team'$/m);
    expect(err).not.toContain('metadata.namespace');
    expect(code).toBe(1);
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
