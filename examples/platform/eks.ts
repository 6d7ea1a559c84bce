import { App, Chart } from 'cdk8s';
import { DynamoPlatform, platformPresets } from '../../lib/platform/index.ts';
import { printWhenRun } from './print-when-run.ts';

/** Amazon EKS in production: EBS volumes and IAM roles. */
export function eks(app: App): void {
  const chart = new Chart(app, 'eks', { namespace: 'dynamo-system' });
  new DynamoPlatform(chart, 'platform', {
    values: [
      platformPresets.production({ etcd: true, clientNamespaceLabels: { 'dynamo-graphs': 'allowed' } }),
      platformPresets.eks({
        operator: 'arn:aws:iam::123456789012:role/dynamo-operator',
        graphs: 'arn:aws:iam::123456789012:role/dynamo-graphs',
      }),
    ],
  });
}

printWhenRun(import.meta.url, eks);
