import type { Path } from '../json/index.ts';

/** A value that the chart of a later release has and this one lacks. */
interface LaterValue {
  /** First release of the chart that has it. */
  readonly since: string;
  /** What to set here instead. */
  readonly instead: string;
}

/** Values of later charts by path; a path includes everything below it. */
const laterValues: Readonly<Record<string, LaterValue>> = {
  'dynamo-operator.upgradeCRD': { since: '1.0.0', instead: 'render the CRDs with --include-crds' },
  'dynamo-operator.checkpoint': { since: '1.0.0', instead: 'remove it: operators of 0.9 have no checkpoints' },
  'dynamo-operator.gpuDiscovery': { since: '1.0.0', instead: 'remove it: operators of 0.9 do not look at nodes' },
  'global.grove': { since: '1.0.0', instead: 'set grove.enabled' },
  'global.kai-scheduler': { since: '1.0.0', instead: 'set kai-scheduler.enabled' },
  'global.etcd': { since: '1.0.0', instead: 'set etcd.enabled' },
};

/** The warning about a value that only later charts have; undefined for other values. */
export function laterValueWarning(path: Path): string | undefined {
  const name = path.join('.');
  const found = Object.entries(laterValues).find(([later]) => name === later || name.startsWith(`${later}.`));
  if (found === undefined) return undefined;
  const [, { since, instead }] = found;
  return `belongs to the chart of release ${since} and later and has no effect here, where values are those of 0.9; ${instead}`;
}
