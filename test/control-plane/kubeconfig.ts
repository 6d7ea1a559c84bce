/** Writes kubeconfig content; JSON, which every reader of YAML reads. */

/** What a kubeconfig file says. */
export interface KubeconfigInput {
  /** Address of the API server. */
  readonly server: string;
  /** Certificate authority of the API server, as PEM. */
  readonly ca: string;
  /** Tokens by user; each becomes a context of the same name. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The context used when none is named. */
  readonly currentUser: string;
}

/** A kubeconfig with one context per user. */
export function renderKubeconfig({ server, ca, tokens, currentUser }: KubeconfigInput): string {
  const cluster = 'control-plane-for-tests';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': currentUser,
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: Object.entries(tokens).map(([name, token]) => ({ name, user: { token } })),
    contexts: Object.keys(tokens).map((name) => ({ name, context: { cluster, user: name } })),
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
