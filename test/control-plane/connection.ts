/** What a test, or a person, needs to talk to a running control plane; plain data, so that it can be handed to workers. */

/** One user of a control plane. */
export interface ConnectedUser {
  /** Name the API server knows the user by. */
  readonly username: string;
  /** Bearer token. */
  readonly token: string;
  /** Path of a kubeconfig file whose current context is this user. */
  readonly kubeconfig: string;
}

/** A running control plane. */
export interface ControlPlaneConnection {
  /** Address of the API server. */
  readonly server: string;
  /** Address of etcd. */
  readonly etcd: string;
  /** Certificate authority of the API server, as PEM. */
  readonly ca: string;
  /** Folder with everything the control plane writes; removed when it stops. */
  readonly folder: string;
  /** Path of the administrator's kubeconfig file. */
  readonly kubeconfig: string;
  /** Path of the audit log. */
  readonly auditLog: string;
  /** Users by short name, see `users.ts`. */
  readonly users: Readonly<Record<string, ConnectedUser>>;
  /** Process ids by program. */
  readonly pids: Readonly<Record<string, number>>;
}
