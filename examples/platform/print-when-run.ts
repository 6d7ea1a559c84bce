import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { App } from 'cdk8s';

/** Prints what an example adds to an app, when its file is the one that was started. */
export function printWhenRun(url: string, build: (app: App) => void): void {
  const started = process.argv[1];
  if (started === undefined || realpathSync(started) !== fileURLToPath(url)) return;
  const app = new App();
  build(app);
  process.stdout.write(app.synthYaml());
}
