import type { GitopsInput, OutputFile } from './layout.ts';
import { objectFiles, orderedFileName, platformObjects } from './object-files.ts';
import { sortByWave } from '../platform/index.ts';

/**
 * Plain manifests, one file per object, in `0-crds`, `1-platform` (`environments/NAME/1-platform` with several environments) and `2-graphs`.
 * Files sort in apply order.
 */
export function plainLayout(input: GitopsInput): readonly OutputFile[] {
  const single = input.environments.length === 1;
  const perEnvironment = input.environments.flatMap((e) =>
    objectFiles(`${single ? '' : `environments/${e.name}/`}1-platform`, sortByWave(platformObjects(e)), (o) =>
      orderedFileName(o, e.namespace),
    ),
  );
  return [
    ...objectFiles('0-crds', input.crds, (o) => orderedFileName(o, undefined)),
    ...perEnvironment,
    ...objectFiles('2-graphs', sortByWave(input.graphs, true), (o) => orderedFileName(o, undefined, true)),
  ];
}
