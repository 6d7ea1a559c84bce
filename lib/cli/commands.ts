import type { CommandDefinition } from './command.ts';

/** A command's name and summary, and a function that loads it on first use to keep start-up fast. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandDefinition>;
}

/** All commands, in the order of `dynamo-cdk8s --help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'validate',
    summary: 'check manifests as the API server and the webhooks would',
    load: async () => (await import('./validate.ts')).validate,
  },
  {
    name: 'render',
    summary: 'print every object the operator would create',
    load: async () => (await import('./render.ts')).render,
  },
  {
    name: 'lint',
    summary: 'find mistakes in graphs that the API server accepts',
    load: async () => (await import('./lint.ts')).lint,
  },
  {
    name: 'fit',
    summary: 'check whether graphs fit on the nodes of a cluster',
    load: async () => (await import('./fit.ts')).fit,
  },
  {
    name: 'status',
    summary: 'show live graphs: components, pods, conditions, events',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'operator',
    summary: 'reconcile graphs in a cluster and validate them at admission',
    load: async () => (await import('./operator.ts')).operator,
  },
  {
    name: 'normalize',
    summary: 'print objects as the API server would store them',
    load: async () => (await import('./normalize.ts')).normalize,
  },
  {
    name: 'crds',
    summary: 'print the CustomResourceDefinitions, or JSON Schemas',
    load: async () => (await import('./crds.ts')).crds,
  },
  {
    name: 'platform',
    summary: 'render the platform from Helm values',
    load: async () => (await import('./platform.ts')).platform,
  },
  {
    name: 'gitops',
    summary: 'write a GitOps folder: plain, kustomize, helm, argocd or flux',
    load: async () => (await import('./gitops.ts')).gitops,
  },
  { name: 'images', summary: 'list every image of the platform', load: async () => (await import('./images.ts')).images },
  {
    name: 'import',
    summary: 'write TypeScript for graphs that exist as YAML',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'init',
    summary: 'create a GitOps repository with example graphs',
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'editor',
    summary: 'set up VS Code and JetBrains IDEs for Dynamo YAML',
    load: async () => (await import('./editor.ts')).editor,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completion,
  },
];
