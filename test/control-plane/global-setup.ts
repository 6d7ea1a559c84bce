/** Starts one control plane for a vitest run and passes its address to the tests; prints the reason if it cannot. */
import type { TestProject } from 'vitest/node';
import { crds } from '../../lib/api/index.ts';
import { findTool, missingTools, ToolMissingError } from '../../tools/find.ts';
import { BuildFailedError } from '../../tools/go-build.ts';
import type { ControlPlaneConnection } from './connection.ts';
import { neededTools, startControlPlane } from './start.ts';

/** The control plane of a run, or why there is none. */
export type ProvidedControlPlane = { readonly connection: ControlPlaneConnection } | { readonly unavailable: string };

declare module 'vitest' {
  interface ProvidedContext {
    controlPlane: ProvidedControlPlane;
  }
}

/** Called by vitest before the first test; what it returns is called after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const unavailable = await buildWhatIsNeeded();
  if (unavailable !== undefined) {
    shout(unavailable);
    project.provide('controlPlane', { unavailable });
    return async () => shout(unavailable);
  }
  const controlPlane = await startControlPlane({ crds: crds() });
  controlPlane.failed.addEventListener('abort', () => process.stderr.write(`${String(controlPlane.failed.reason)}\n`));
  project.provide('controlPlane', { connection: controlPlane.connection });
  return () => controlPlane.stop();
}

async function buildWhatIsNeeded(): Promise<string | undefined> {
  const needed = [...neededTools(), 'kubectl'] as const;
  try {
    const missing = missingTools(needed);
    if (missing.length > 0) throw new ToolMissingError(missing);
    for (const name of needed) await findTool(name);
    return undefined;
  } catch (error) {
    if (error instanceof ToolMissingError || error instanceof BuildFailedError) return error.message;
    throw error;
  }
}

function shout(reason: string): void {
  const line = '='.repeat(100);
  process.stderr.write(
    `\n${line}\nCLUSTER TESTS SKIPPED: there is no Kubernetes control plane to run them on\n\n${reason}\n${line}\n\n`,
  );
}
