import type { OutputFile } from '../files/index.ts';
import type { KubernetesObject } from '../platform/index.ts';

export type { OutputFile };

type Labels = Readonly<Record<string, string>>;

/** The objects of one part of the platform: operator, nats, etcd, grove, kai-scheduler. */
export interface PartObjects {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
}

/** The cluster that an environment is deployed to by a GitOps controller. */
export interface Target {
  /** Address of its API server, for Argo CD. */
  readonly server?: string;
  /** Secret with its kubeconfig, for Flux; the controller's own cluster without one. */
  readonly kubeConfig?: string;
}

/** One environment: its name and the platform rendered for it. */
export interface Environment {
  readonly name: string;
  /** Release namespace. */
  readonly namespace: string;
  readonly parts: readonly PartObjects[];
  /**
   * The cluster it is deployed to.
   * @default - the cluster of the GitOps controller
   */
  readonly target?: Target;
  /**
   * Release of the original operator that will run the graphs.
   * @default - an operator that knows every field
   */
  readonly operatorRelease?: string | undefined;
  /**
   * Labels of the namespaces whose pods may reach NATS and etcd.
   * @default - every namespace
   */
  readonly clientLabels?: Labels | undefined;
}

/** Where a GitOps controller finds what is written. */
export interface Repository {
  readonly url: string;
  /** Branch, tag or commit. */
  readonly revision: string;
  /** Folder in the repository that holds the output, without slashes at its ends; empty for the root. */
  readonly path: string;
}

/** All that a layout is made from. Every namespaced object names its namespace. */
export interface GitopsInput {
  /** What all environments have in common: the platform for the values that are not an environment's. */
  readonly base: Environment;
  /** One or more; a single environment may be the base itself. */
  readonly environments: readonly Environment[];
  /** Graphs and what came with them. */
  readonly graphs: readonly KubernetesObject[];
  readonly crds: readonly KubernetesObject[];
}
