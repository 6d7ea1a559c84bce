import { App, Chart } from 'cdk8s';
import { DynamoPlatform, platformPresets } from '../../lib/platform/index.ts';
import { printWhenRun } from './print-when-run.ts';

/** OpenShift: the cluster chooses user ids. */
export function openShift(app: App): void {
  const chart = new Chart(app, 'openshift', { namespace: 'dynamo-system' });
  new DynamoPlatform(chart, 'platform', {
    values: [platformPresets.production({ clientNamespaceLabels: { 'dynamo-graphs': 'allowed' } }), platformPresets.openShift()],
    apiVersions: ['monitoring.coreos.com/v1', 'security.openshift.io/v1'],
  });
}

printWhenRun(import.meta.url, openShift);
