/** Grove, the operator that runs multi-node graphs: from the block `grove` of the values to its objects. Its CRDs are a prerequisite. */
import type { Issue } from '../../api/index.ts';
import type { Json, JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { renderChecked } from '../checked-part.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import type { Part, PartResult } from '../part.ts';
import { plainObjects } from '../plain-object.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { checkGrove } from './checks.ts';
import { configMap } from './config.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { service } from './network.ts';
import { policies } from './policies.ts';
import { accessObjects } from './rbac.ts';
import { groveRelease, type GroveRelease } from './release.ts';
import { dead, schema } from './schema.ts';
import { certificateSecret } from './secrets.ts';
import { webhookConfiguration } from './webhooks.ts';
import { deployment } from './workload.ts';

function priorityClass(values: JsonObject): JsonObject {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: templateString(atPath(values, 'priorityClass.name')) },
    value: yamlScalar(atPath(values, 'priorityClass.value')),
    globalDefault: false,
    description:
      'This class is used to ensure that the grove-operator has a high priority and is not preempted in favor of other pods.',
  };
}

function documents(grove: GroveRelease): readonly Json[] {
  const { values, context, labels } = grove;
  const on = (path: string): boolean => truthy(atPath(values, path));
  const config = configMap(grove);
  const { account, role, binding } = accessObjects(grove);
  const source = { values, namespace: context.namespace, common: grove.commonLabels };
  return [
    ...policies(grove),
    ...(on('priorityClass.enabled') ? [priorityClass(values)] : []),
    account,
    certificateSecret(grove),
    config,
    role,
    binding,
    service(grove),
    deployment({ values, context, labels: labels('deployment'), configMap: config.metadata.name }),
    webhookConfiguration(source, 'defaulting'),
    webhookConfiguration(source, 'validating'),
    ...(on('config.authorizer.enabled') ? [webhookConfiguration(source, 'authorizer')] : []),
  ];
}

function render(values: JsonObject, context: PlatformContext): PartResult {
  return renderChecked(checkGrove(values), () => {
    const issues: Issue[] = [];
    return { objects: plainObjects(documents(groveRelease(values, context)), ['grove'], issues), issues, warnings: [] };
  });
}

/** Grove as a part of the platform. */
export const grove: Part = { key: 'grove', defaults, platformDefaults, schema, dead, render };
