/** The executable of the operator's image, `/manager`: the command `operator` without the others. */
import { runProcess } from './operator.ts';
import { processIo } from './process-io.ts';

// What failed may still hold timers and connections: the process ends at once, as the original does.
runProcess(process.argv.slice(2), processIo()).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(
      `manager: internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  },
);
