import { App, Chart } from 'cdk8s';
import { DynamoPlatform, platformPresets } from '../../lib/platform/index.ts';
import { printWhenRun } from './print-when-run.ts';

/** A build under test in a namespace of a shared cluster. */
export function sharedTest(app: App): void {
  const chart = new Chart(app, 'shared-test', { namespace: 'alice-test' });
  new DynamoPlatform(chart, 'platform', {
    release: 'alice-test',
    values: platformPresets.sharedTest({
      repository: 'registry.example.com/alice/dynamo-operator',
      tag: 'fix-123',
      pullSecrets: ['docker-imagepullsecret'],
    }),
  });
}

printWhenRun(import.meta.url, sharedTest);
