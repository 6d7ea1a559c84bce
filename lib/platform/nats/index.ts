/** NATS, the message bus of graphs: from the block `nats` of the values to its objects. */
import { podMonitor } from './monitors.ts';
import { disruptionBudget, networkPolicies } from './policies.ts';
import type { Issue } from '../../api/index.ts';
import { type Json, type JsonObject, listAt } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, truthy } from '../go-values.ts';
import type { Part, PartResult } from '../part.ts';
import { plainObjects } from '../plain-object.ts';
import { renderChecked } from '../checked-part.ts';
import { natsBox } from './box.ts';
import { checkNats } from './checks.ts';
import { configMap, serverConfig } from './config.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { clientService, headlessService, websocketIngress } from './network.ts';
import { natsNames, type NatsRelease } from './release.ts';
import { serviceAccount } from './rbac.ts';
import { dead, schema } from './schema.ts';
import { securedNatsValues } from './security.ts';
import { statefulSet } from './workload.ts';

function documents(nats: NatsRelease): readonly (Json | undefined)[] {
  const on = (path: string): boolean => truthy(atPath(nats.values, path));
  const config = serverConfig(nats);
  const printed = configMap(nats, config);
  return [
    ...networkPolicies(nats),
    on('podDisruptionBudget.enabled') ? disruptionBudget(nats) : undefined,
    on('serviceAccount.enabled') ? serviceAccount(nats) : undefined,
    printed,
    headlessService(nats),
    clientService(nats),
    statefulSet(nats, config, printed),
    on('promExporter.enabled') && on('promExporter.podMonitor.enabled') ? podMonitor(nats) : undefined,
    websocketIngress(nats),
    ...natsBox(nats),
    ...listAt(nats.values['extraResources']),
  ];
}

function render(given: JsonObject, context: PlatformContext): PartResult {
  const found = checkNats(given, context);
  const { values, issues: missing } = securedNatsValues(given, context);
  return renderChecked({ ...found, issues: [...found.issues, ...missing] }, () => {
    const issues: Issue[] = [];
    const warnings: Issue[] = [];
    const nats: NatsRelease = { values, context, names: natsNames(values, context.release), issues, warnings };
    return { objects: plainObjects(documents(nats), ['nats'], issues, !context.switches['managed-by']), issues, warnings };
  });
}

/** NATS as a part of the platform. */
export const nats: Part = { key: 'nats', defaults, platformDefaults, schema, dead, render };
