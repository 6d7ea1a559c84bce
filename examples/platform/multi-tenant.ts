import { App, Chart } from 'cdk8s';
import { DynamoPlatform, platformPresets } from '../../lib/platform/index.ts';
import { printWhenRun } from './print-when-run.ts';

/** One cluster-wide operator, and a tenant with an operator of its own that shares the NATS of the first. */
export function multiTenant(app: App): void {
  const hub = new DynamoPlatform(new Chart(app, 'hub', { namespace: 'dynamo-system' }), 'platform', {
    values: platformPresets.tenantHub(),
  });
  new DynamoPlatform(new Chart(app, 'team-a', { namespace: 'team-a' }), 'platform', {
    release: 'team-a',
    values: platformPresets.tenant({ natsAddress: hub.natsAddress }),
  });
}

printWhenRun(import.meta.url, multiTenant);
