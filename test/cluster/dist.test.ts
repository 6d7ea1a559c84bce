import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { cluster, describeCluster, holdApiGroups } from '../control-plane/cluster-test.ts';
import type { ObjectIdentity } from '../control-plane/rest-paths.ts';

const dist = resolve(import.meta.dirname, '../../dist');

/** What a file says must be there first. */
const needOf = (file: string): string | undefined => /^# Install (.*) before/.exec(readFileSync(join(dist, file), 'utf8'))?.[1];
const objectsOf = (file: string): readonly ObjectIdentity[] =>
  parseAllDocuments(readFileSync(join(dist, file), 'utf8')).map((document) => document.toJS() as ObjectIdentity);

/** Applies an object without storing it, and returns what the API server says against it; a kind it does not know is one of those. */
async function refusal(object: ObjectIdentity): Promise<string | undefined> {
  const name = `${object.kind} ${object.metadata.name ?? ''}`;
  try {
    const { status, body } = await cluster().client.apply(object, { query: { dryRun: 'All', fieldValidation: 'Strict' } });
    return status < 300 ? undefined : `${name}: ${body.message ?? String(status)}`;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : 'refused'}`;
  }
}

// Nothing but namespaces is stored: the webhooks of the platform would reach into what other tests do.
describeCluster('dist/ on a cluster without cert-manager, Prometheus operator, Grove and KAI', () => {
  beforeAll(async () => holdApiGroups([]));

  test('applies, but for what a file says must be installed first', async () => {
    const files = readdirSync(dist);
    for (const object of files.flatMap(objectsOf).filter(({ kind }) => kind === 'Namespace')) {
      await cluster().client.apply(object);
      onTestFinished(async () => void (await cluster().client.delete(object)));
    }
    for (const file of files) {
      const refused = (await Promise.all(objectsOf(file).map(refusal))).filter((text) => text !== undefined);
      const need = needOf(file);
      // The CRDs of the first file are not stored either, so the graph may find none.
      const known = refused.filter((text) => !/^DynamoGraphDeployment .*install its CRD first$/.test(text));
      if (need === undefined || file.includes('graphs')) expect([file, known]).toEqual([file, []]);
      else expect([file, refused.length]).toEqual([file, objectsOf(file).length]);
    }
  });
});
