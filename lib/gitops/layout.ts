import type { KubernetesObject } from '../api/index.ts';
import type { OutputFile } from '../files/index.ts';

export type { OutputFile };

type Labels = Readonly<Record<string, string>>;

/** The objects of one part of the platform: operator, nats, etcd, grove, kai-scheduler. */
export interface PartObjects {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
}

/** The cluster to which a GitOps controller deploys an environment. */
export interface Target {
  /** Address of its API server, for Argo CD. */
  readonly server?: string;
  /** Secret with its kubeconfig, for Flux; without one, the cluster that the controller runs in. */
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
   * @default - the cluster that the GitOps controller runs in
   */
  readonly target?: Target;
  /**
   * Release of the original operator that will run the graphs.
   * @default - an operator that supports every field
   */
  readonly operatorRelease?: string | undefined;
  /**
   * Labels of the namespaces whose pods may reach NATS and etcd.
   * @default - every namespace
   */
  readonly clientLabels?: Labels | undefined;
}

/** Revision that controllers follow unless told otherwise. */
export const defaultRevision = 'main';

/** The Git repository from which a GitOps controller reads the output. */
export interface Repository {
  readonly url: string;
  /** Branch, tag or commit. */
  readonly revision: string;
  /** Folder of the output in the repository, without leading or trailing slash; empty for the root. */
  readonly path: string;
}

/** Input of a layout. Every namespaced object has its namespace set. */
export interface GitopsInput {
  /** The platform rendered from the values that all environments share. */
  readonly base: Environment;
  /** One or more; a single environment may be the base itself. */
  readonly environments: readonly Environment[];
  /** Graphs and their related objects. */
  readonly graphs: readonly KubernetesObject[];
  readonly crds: readonly KubernetesObject[];
}
