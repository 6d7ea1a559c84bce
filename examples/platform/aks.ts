import { App, Chart } from 'cdk8s';
import { DynamoPlatform, platformPresets } from '../../lib/platform/index.ts';
import { printWhenRun } from './print-when-run.ts';

/** Azure AKS in production: premium disks and workload identity. */
export function aks(app: App): void {
  const chart = new Chart(app, 'aks', { namespace: 'dynamo-system' });
  new DynamoPlatform(chart, 'platform', {
    values: [
      platformPresets.production({ clientNamespaceLabels: { 'dynamo-graphs': 'allowed' } }),
      platformPresets.aks({ graphs: '11111111-2222-3333-4444-555555555555' }),
    ],
  });
}

printWhenRun(import.meta.url, aks);
