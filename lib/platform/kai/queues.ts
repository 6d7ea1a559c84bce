import type { KubernetesObject } from '../../api/index.ts';
import type { PlatformContext } from '../platform-context.ts';

const unlimited = { quota: -1, limit: -1, overQuotaWeight: 1 };
const resources = { cpu: unlimited, gpu: unlimited, memory: unlimited };

/** The two queues in order: a parent must exist before its child. */
const definitions = [
  { name: 'dynamo-default', weight: '100', spec: { resources } },
  { name: 'dynamo', weight: '110', spec: { parentQueue: 'dynamo-default', resources } },
] as const;

/** Whether the queues are rendered: as `platform.queues` says, otherwise if their API is known or, in the secure profile, if KAI is enabled. */
function isEnabled({ settings, apiVersions, switches }: PlatformContext, kaiEnabled: boolean): boolean {
  return settings.queues.enabled ?? (apiVersions.has('scheduling.run.ai/v2') || (switches['no-hooks'] && kaiEnabled));
}

/** The queues that graphs are scheduled in. They belong to the platform, not to KAI, since an existing KAI needs them too. */
export function queues(context: PlatformContext, kaiEnabled: boolean): readonly KubernetesObject[] {
  if (!isEnabled(context, kaiEnabled)) return [];
  return definitions.map(({ name, weight, spec }) => ({
    apiVersion: 'scheduling.run.ai/v2',
    kind: 'Queue',
    metadata: {
      name,
      ...(context.switches['no-hooks']
        ? {}
        : {
            annotations: {
              'helm.sh/hook': 'post-install,post-upgrade',
              'helm.sh/hook-weight': weight,
              'helm.sh/hook-delete-policy': 'before-hook-creation',
            },
          }),
    },
    spec,
  }));
}
