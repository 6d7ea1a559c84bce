import type { KaiRelease } from './release.ts';
import { binding, clusterRole, crdManagerRules } from './rbac.ts';
import type { JsonObject } from '../../json/index.ts';
import { containerSettings, podSettings } from './pods.ts';

/** The hook that installs CRDs before everything else; without hooks they are a prerequisite. */
export function hookObjects(kai: KaiRelease): readonly JsonObject[] {
  if (kai.context.switches['no-hooks']) return [];
  const name = 'kai-scheduler-crd-manager';
  const hook = (weight: string, policy: string): JsonObject => ({
    annotations: {
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': weight,
      'helm.sh/hook-delete-policy': policy,
    },
  });
  const early = hook('-1', 'hook-succeeded,before-hook-creation');
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, ...early } },
    clusterRole(name, crdManagerRules, early),
    binding('ClusterRoleBinding', { name, ...early }, name, name, kai.context.namespace),
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'crd-upgrader', ...hook('2', 'hook-succeeded') },
      spec: {
        template: {
          spec: {
            serviceAccountName: name,
            ...podSettings(kai),
            containers: [{ name: 'upgrader', ...containerSettings(kai, 'crdupgrader', false) }],
            restartPolicy: 'OnFailure',
          },
        },
      },
    },
  ];
}
