/** The most nodes and pods that Kubernetes supports in one cluster: https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
export const largestCluster = { nodes: 5000, pods: 150_000 } as const;
