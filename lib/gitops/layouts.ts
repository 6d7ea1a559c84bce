import { argocdLayout } from './argocd.ts';
import { fluxLayout } from './flux.ts';
import { kustomizeLayout } from './kustomize.ts';
import type { GitopsInput, OutputFile, Repository } from './layout.ts';
import { plainLayout } from './plain.ts';

/** A layout of a GitOps folder. */
export interface Layout {
  readonly summary: string;
  readonly needsRepository: boolean;
  readonly write: (input: GitopsInput, repository: Repository) => readonly OutputFile[];
}

/** All layouts except the Helm chart, which is generated from values and not from objects. */
export const layouts = {
  plain: {
    summary: 'one file per object, in the order of application',
    needsRepository: false,
    write: plainLayout,
  },
  kustomize: {
    summary: 'a base per part, an overlay per environment',
    needsRepository: false,
    write: kustomizeLayout,
  },
  argocd: {
    summary: 'manifests with sync waves, an AppProject and Applications',
    needsRepository: true,
    write: argocdLayout,
  },
  flux: {
    summary: 'manifests in steps, and Kustomizations that wait for one another',
    needsRepository: true,
    write: fluxLayout,
  },
} as const satisfies Readonly<Record<string, Layout>>;
