import type { Issue } from '../../api/index.ts';
import type { JsonObject, Path } from '../../json/index.ts';
import { stringifyJson } from '../../manifest/index.ts';
import { atPath, truthy } from '../go-values.ts';
import type { EtcdRelease } from './release.ts';

/** Requests and limits of a size: cpu and memory; ephemeral storage is the same for all. */
const sizes = {
  nano: ['100m', '128Mi', '150m', '192Mi'],
  micro: ['250m', '256Mi', '375m', '384Mi'],
  small: ['500m', '512Mi', '750m', '768Mi'],
  medium: ['500m', '1024Mi', '750m', '1536Mi'],
  large: ['1.0', '2048Mi', '1.5', '3072Mi'],
  xlarge: ['1.0', '3072Mi', '3.0', '6144Mi'],
  '2xlarge': ['1.0', '3072Mi', '6.0', '12288Mi'],
} as const satisfies Readonly<Record<string, readonly [string, string, string, string]>>;

/** Names of the sizes, and `none` for no resources at all. */
export const presetNames: readonly string[] = [...Object.keys(sizes), 'none'];

function isSize(name: unknown): name is keyof typeof sizes {
  return typeof name === 'string' && Object.hasOwn(sizes, name);
}

/** Resources of a container from the block at a path: `resources` when given, else the preset. */
export function resourcesOf({ values }: Pick<EtcdRelease, 'values'>, path: Path): JsonObject {
  const block = path.length === 0 ? values : atPath(values, ...path.map(String));
  if (truthy(atPath(block, 'resources'))) return { resources: atPath(block, 'resources') };
  const preset = atPath(block, 'resourcesPreset');
  if (!isSize(preset)) return {};
  const [cpu, memory, cpuLimit, memoryLimit] = sizes[preset];
  return {
    resources: {
      requests: { cpu, memory, 'ephemeral-storage': '50Mi' },
      limits: { cpu: cpuLimit, memory: memoryLimit, 'ephemeral-storage': '2Gi' },
    },
  };
}

/** Blocks with resources, and the value that enables each. */
const users: readonly { readonly path: readonly string[]; readonly needs: readonly string[] }[] = [
  { path: [], needs: [] },
  { path: ['volumePermissions'], needs: ['volumePermissions.enabled', 'persistence.enabled'] },
  { path: ['disasterRecovery', 'cronjob'], needs: ['disasterRecovery.enabled'] },
  { path: ['defrag', 'cronjob'], needs: ['defrag.enabled'] },
  { path: ['preUpgradeJob'], needs: ['preUpgradeJob.enabled'] },
];

/** Presets that do not exist, where they would be used. */
export function checkPresets(values: JsonObject): readonly Issue[] {
  return users.flatMap(({ path, needs }) => {
    if (!needs.every((need) => truthy(atPath(values, need)))) return [];
    const block = path.length === 0 ? values : atPath(values, ...path);
    const preset = atPath(block, 'resourcesPreset');
    if (truthy(atPath(block, 'resources')) || (typeof preset === 'string' && presetNames.includes(preset))) return [];
    const message = `must be one of ${presetNames.join(', ')}, got ${stringifyJson(preset ?? null)}; or give resources`;
    return [{ path: ['etcd', ...path, 'resourcesPreset'], code: 'not_allowed', message }];
  });
}
