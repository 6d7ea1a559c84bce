import { originalFlags, ownFlags } from './flag-table.ts';
import { describeFlags } from './go-flags.ts';

/** Command lines to start from, and what each does. */
export const operatorExamples: readonly { readonly command: string; readonly does: string }[] = [
  {
    command:
      'dynamo-cdk8s operator --kubeconfig ~/.kube/config --planner-cluster-role-name view --mpi-run-ssh-secret-name mpi-run-ssh-secret --mpi-run-ssh-secret-namespace default --zap-devel',
    does: 'reconcile the graphs of a cluster from your machine, with a log for people',
  },
  {
    command:
      'dynamo-cdk8s operator --restrictedNamespace team-a --mpi-run-ssh-secret-name mpi-run-ssh-secret --mpi-run-ssh-secret-namespace team-a',
    does: 'work in one namespace only; a cluster-wide operator stays out of it meanwhile',
  },
  {
    command:
      'dynamo-cdk8s operator --leader-elect --leader-election-id dynamo.nvidia.com --leader-election-namespace kube-system --enable-webhooks --webhook-certificates self-managed --webhook-service-name webhook-service --webhook-configuration-name webhooks ...',
    does: 'run as one of several replicas that serve the webhooks and keep their certificate themselves',
  },
];

/** How the command is called. */
export const operatorUsage = 'Usage: dynamo-cdk8s operator [flags]';

/** The help page of the operator. */
export function operatorHelp(): string {
  return [
    operatorUsage,
    '',
    'Reconciles Dynamo graphs in a cluster and validates them at admission. Takes the flags of the original manager: one dash or two,',
    '--name=value or --name value, booleans with a value only after =; the last of several wins.',
    '',
    'Flags:',
    describeFlags(originalFlags),
    'Flags the original does not have:',
    describeFlags(ownFlags),
    '  -h, --help',
    '      show this help',
    '',
    'Exit codes:',
    '  0  stopped after SIGINT or SIGTERM',
    '  1  could not start, failed, lost leadership, or was signalled twice',
    '  2  a flag is wrong',
    '',
    'Examples:',
    ...operatorExamples.map(({ command, does }) => `  ${command}\n      ${does}`),
    '',
  ].join('\n');
}
