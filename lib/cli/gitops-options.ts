import { defaultRevision, layouts } from '../gitops/index.ts';

/** Options of `gitops` that only some layouts read, or that depend on another option. */
interface LayoutOptions {
  readonly layout: keyof typeof layouts | 'helm';
  readonly graph?: readonly string[];
  readonly graphNamespace?: string;
  readonly envServer?: readonly string[];
  readonly envKubeconfig?: readonly string[];
  readonly repoUrl?: string;
  readonly revision: string;
  readonly path: string;
}

/** Options that have no effect, each with the fix. */
export function optionsWithoutEffect(options: LayoutOptions): readonly string[] {
  const { layout } = options;
  const hasController = layout !== 'helm' && layouts[layout].needsRepository;
  const noRepository = `has no effect: nothing that layout ${layout} writes refers to the repository; remove it`;
  const rules: readonly (readonly [boolean, string])[] = [
    [options.repoUrl !== undefined && !hasController, `--repo-url: ${noRepository}`],
    [options.revision !== defaultRevision && !hasController, `--revision: ${noRepository}`],
    [options.path !== '' && !hasController, `--path: ${noRepository}`],
    [
      options.graphNamespace !== undefined && options.graph === undefined,
      '--graph-namespace: has no effect without --graph; remove it',
    ],
    [
      options.envServer !== undefined && layout !== 'argocd',
      `--env-server: has no effect: only layout argocd reads it${layout === 'flux' ? '; use --env-kubeconfig' : '; remove it'}`,
    ],
    [
      options.envKubeconfig !== undefined && layout !== 'flux',
      `--env-kubeconfig: has no effect: only layout flux reads it${layout === 'argocd' ? '; use --env-server' : '; remove it'}`,
    ],
  ];
  return rules.flatMap(([isIdle, message]) => (isIdle ? [message] : []));
}
