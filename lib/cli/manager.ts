/** The executable of the operator's image, `/manager`: the command `operator` without the others. */
import { stopOnSignals } from './stop-on-signals.ts';

async function main(): Promise<void> {
  // Before anything else is loaded: to the first process of a container a signal that nobody heeds is lost.
  const stop = stopOnSignals();
  const [{ runProcess }, { processIo }] = await Promise.all([import('./operator.ts'), import('./process-io.ts')]);
  // What failed may still hold timers and connections: the process ends at once, as the original does.
  process.exit(await runProcess(process.argv.slice(2), processIo(), stop));
}

main().catch((error: unknown) => {
  process.stderr.write(
    `manager: internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
