import type { GitopsInput, OutputFile } from './layout.ts';

/** What the folder of each layout holds and how to use it. */
const howTo = {
  plain: (input: GitopsInput): string => {
    const platform = input.environments.length === 1 ? '1-platform' : 'environments/NAME/1-platform';
    return `One file per object; files sort in the order in which a cluster takes them.

    kubectl apply --server-side -f 0-crds
    kubectl apply --server-side -f ${platform}
    kubectl -n ${input.base.namespace} rollout status deployment -l control-plane=controller-manager
${input.graphs.length === 0 ? '' : '    kubectl apply --server-side -f 2-graphs\n'}`;
  },
  kustomize: (
    input: GitopsInput,
  ): string => `A base per part under \`bases/\` and an overlay per environment under \`overlays/\`: ${input.environments.map((e) => e.name).join(', ')}.

    kustomize build overlays/${input.environments[0]?.name ?? 'NAME'} | kubectl apply --server-side -f -

\`namePrefix\`, \`nameSuffix\` and \`namespace\` hold in strings too, such as addresses in arguments, where the transformer \`names\` of the overlay runs after
them; it holds \`replacements\`. In a kustomization of your own above the overlay:

    resources: [PATH/overlays/${input.environments[0]?.name ?? 'NAME'}]
    namePrefix: team-
    transformers: [PATH/overlays/${input.environments[0]?.name ?? 'NAME'}/names]

\`namespace\` moves whatever it finds into one namespace: use it where the overlay holds no graphs, whose pods the platform's namespace refuses.
`,
  argocd: (): string => `\`manifests/\` holds the objects with sync waves; \`argocd/\` holds what Argo CD itself reads:

    kubectl patch -n argocd configmap argocd-cm --patch-file argocd-cm-patch.yaml
    kubectl apply -n argocd -f argocd/

- \`appproject-*.yaml\` allows the Applications what they hold and no more.
- \`application-*.yaml\` or \`applicationset-*.yaml\` deploys each environment.
- \`argocd-cm-patch.yaml\` teaches Argo CD when a Dynamo resource is healthy: without it a sync is green before a graph serves, and the next wave does
  not wait for it. It is a patch of Argo CD's own ConfigMap \`argocd-cm\` and holds nothing but these checks; \`kubectl patch\` leaves everything else in it as
  it is, while \`kubectl apply\` may take your other settings away, which is why it is beside \`argocd/\` and not in it. Where Argo CD is installed by Helm or by Git, put its entries into that installation's \`configs.cm\` instead.

CRDs and namespaces have \`Prune=false,Delete=false\`: they stay when they leave Git and when an Application is deleted.
`,
  flux: (): string => `\`manifests/\` holds the objects in steps; \`flux/dynamo.yaml\` holds the GitRepository and Kustomizations that apply one step after the other.

    kubectl apply -f flux/dynamo.yaml

CRDs and namespaces are never pruned.
`,
} as const satisfies Readonly<Record<string, (input: GitopsInput) => string>>;

/** The README of a folder: what it is, what must be there first, how to use it. */
export function folderReadme(layout: keyof typeof howTo, input: GitopsInput, prerequisites: readonly string[]): OutputFile {
  const needs =
    prerequisites.length === 0
      ? 'Nothing beside Kubernetes 1.28 or newer.\n'
      : prerequisites.map((line) => `- ${line}\n`).join('');
  const text = `# Dynamo platform

Written by \`dynamo-cdk8s gitops --layout ${layout}\`; run it again to change what is here. Files that it did not write stay as they are.

## Before you apply it

${needs}
## What is here

${howTo[layout](input)}`;
  return { path: 'README.md', text, optional: true };
}
