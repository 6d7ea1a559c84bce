import type { IConstruct } from 'constructs';

/** A construct that may install a cluster-wide operator. */
export interface ClusterWide {
  /** The cluster and release of its cluster-wide operator; undefined when it has none. */
  readonly clusterWide: { readonly cluster: string; readonly release: string; readonly namespace: string } | undefined;
}

function isClusterWide(construct: IConstruct): construct is IConstruct & ClusterWide {
  return 'clusterWide' in construct && construct.clusterWide !== undefined;
}

/** What is wrong when another construct of the app installs a cluster-wide operator in the same cluster; the later one is told. */
export function oneClusterWide(construct: IConstruct & ClusterWide): readonly string[] {
  const own = construct.clusterWide;
  if (own === undefined) return [];
  const inCluster = construct.node.root.node.findAll().filter(isClusterWide);
  const first = inCluster.find((other) => other.clusterWide?.cluster === own.cluster);
  if (first === undefined || first === construct || first.clusterWide === undefined) return [];
  const { release, namespace } = first.clusterWide;
  return [
    `release '${own.release}' in namespace '${own.namespace}' is a second cluster-wide operator beside release '${release}' in namespace '${namespace}'; a cluster may have one: use that one, set dynamo-operator.namespaceRestriction.enabled, or name another cluster`,
  ];
}
