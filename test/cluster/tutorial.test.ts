import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster } from '../control-plane/cluster-test.ts';
import { stepsOf } from '../docs/shell-steps.ts';

const page = readFileSync(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');
const commands = stepsOf(page).flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('kubectl ')));

describeCluster('the tutorial', () => {
  test('prepares the namespace of its graphs', async () => {
    onTestFinished(async () => {
      await cluster().client.delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'llm' } });
    });
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const { exitCode, stderr } = await cluster().kubectl(command.split(' ').slice(1));
      expect(exitCode, stderr).toBe(0);
    }
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hf-token-secret', namespace: 'llm' } };
    expect(Object.keys(succeeded(await cluster().client.get<{ data: object }>(secret)).data)).toEqual(['HF_TOKEN']);
  });
});
