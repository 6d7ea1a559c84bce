/** Starts a control plane for people and keeps it until Ctrl-C; prints the path of its kubeconfig. */
import { parseArgs } from 'node:util';
import { findTool } from '../../tools/find.ts';
import { startControlPlane } from './start.ts';

const usage = `usage: npm run cluster [-- --nodes]

  --nodes   also run kube-scheduler and kwok, so that pods are scheduled to the nodes you create and seem to run
`;

/** Starts, prints, waits for the end. */
async function serve(nodes: boolean): Promise<void> {
  process.stderr.write('starting a control plane ...\n');
  const { connection, failed, stop } = await startControlPlane({ scheduler: nodes, kwok: nodes });
  process.stdout.write(`${connection.kubeconfig}\n`);
  process.stderr.write(
    [
      `ready at ${connection.server}; in another terminal:`,
      '',
      `  export KUBECONFIG=${connection.kubeconfig}`,
      `  ${await findTool('kubectl')} get namespaces`,
      '',
      `other users: kubectl --context ${Object.keys(connection.users).join('|')}`,
      `logs and audit log: ${connection.folder}`,
      'Ctrl-C ends it and removes all it stored',
      '',
    ].join('\n'),
  );
  const reason = await new Promise<unknown>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(undefined));
    failed.addEventListener('abort', () => resolve(failed.reason));
  });
  await stop();
  if (reason !== undefined) throw reason;
  process.stderr.write('stopped\n');
}

try {
  const { values } = parseArgs({
    options: { nodes: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) process.stdout.write(usage);
  else await serve(values.nodes);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
