import { App, Chart } from 'cdk8s';
import { DynamoPlatform, platformPresets } from '../../lib/platform/index.ts';
import { printWhenRun } from './print-when-run.ts';

/** A laptop: minikube or kind. */
export function dev(app: App): void {
  const chart = new Chart(app, 'dev', { namespace: 'dynamo-system' });
  new DynamoPlatform(chart, 'platform', { values: platformPresets.dev() });
}

printWhenRun(import.meta.url, dev);
