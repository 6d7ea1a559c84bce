import type { IConstruct } from 'constructs';

/** The cluster, release and namespace that an operator is installed in. */
interface OperatorInstallation {
  readonly cluster: string;
  readonly release: string;
  readonly namespace: string;
  /** Whether the operator manages the whole cluster. */
  readonly clusterWide: boolean;
}

/** A construct that may install an operator. */
export interface InstallsOperator {
  /** Where the construct installs an operator; undefined if it installs none. */
  readonly installation: OperatorInstallation | undefined;
}

function installs(construct: IConstruct): construct is IConstruct & { readonly installation: OperatorInstallation } {
  return 'installation' in construct && construct.installation !== undefined;
}

/** Errors about an operator that conflicts with one that the app installs before it in the same cluster. */
export function conflicts(construct: IConstruct & InstallsOperator): readonly string[] {
  const own = construct.installation;
  if (own === undefined) return [];
  const all = construct.node.root.node.findAll().filter(installs);
  const before = all
    .slice(0, all.indexOf(construct as (typeof all)[number]))
    .filter((other) => other.installation.cluster === own.cluster);
  const wide = own.clusterWide ? before.find((other) => other.installation.clusterWide) : undefined;
  const neighbour = before.find((other) => other.installation.namespace === own.namespace);
  const name = ({ release, namespace }: OperatorInstallation): string => `release '${release}' in namespace '${namespace}'`;
  return [
    ...(wide === undefined
      ? []
      : [
          `${name(own)} is a second cluster-wide operator beside ${name(wide.installation)}; a cluster may have one: use that one, set dynamo-operator.namespaceRestriction.enabled, or name another cluster`,
        ]),
    ...(neighbour === undefined || neighbour === wide
      ? []
      : [
          `${name(own)} would overwrite objects with fixed names of ${name(neighbour.installation)}; install it in another namespace`,
        ]),
  ];
}
