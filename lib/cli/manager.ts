/** The executable `/manager` of the operator's image: runs the command `operator`. */
import { stopOnSignals } from './stop-on-signals.ts';

async function main(): Promise<void> {
  // Install the handlers before anything else is loaded: the first process of a container never gets a signal without a handler, pid_namespaces(7).
  const stop = stopOnSignals();
  const [{ runProcess }, { processIo }] = await Promise.all([import('./operator.ts'), import('./process-io.ts')]);
  // Exit at once, as the original manager does: after a failure, timers and connections may still be open.
  process.exit(await runProcess(process.argv.slice(2), processIo(), stop));
}

main().catch((error: unknown) => {
  process.stderr.write(
    `manager: internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
