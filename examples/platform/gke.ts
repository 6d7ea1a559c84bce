import { App, Chart } from 'cdk8s';
import { DynamoPlatform, platformPresets } from '../../lib/platform/index.ts';
import { printWhenRun } from './print-when-run.ts';

/** Google GKE in production: persistent disks and Workload Identity. */
export function gke(app: App): void {
  const chart = new Chart(app, 'gke', { namespace: 'dynamo-system' });
  new DynamoPlatform(chart, 'platform', {
    values: [
      platformPresets.production({ clientNamespaceLabels: { 'dynamo-graphs': 'allowed' } }),
      platformPresets.gke({ graphs: 'dynamo@example.iam.gserviceaccount.com' }),
    ],
  });
}

printWhenRun(import.meta.url, gke);
