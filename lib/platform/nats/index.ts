/** NATS, the message bus of graphs: from the block `nats` of the values to its objects. */
import { podMonitor } from './monitors.ts';
import { disruptionBudget, networkPolicies } from './policies.ts';
import type { Issue } from '../../api/index.ts';
import { type Json, type JsonObject, listAt } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, truthy } from '../go-values.ts';
import type { Part, PartResult } from '../part.ts';
import { plainObject } from '../plain-object.ts';
import { renderChecked } from '../checked-part.ts';
import { natsBox } from './box.ts';
import { checkNats } from './checks.ts';
import { serverConfig } from './config.ts';
import { printConfig } from './config-text.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { clientService, headlessService, websocketIngress } from './network.ts';
import { metadata, natsNames, overlaid, type NatsRelease } from './release.ts';
import { dead, schema } from './schema.ts';
import { applySecurityBlock } from './security.ts';
import { statefulSet } from './workload.ts';

function configMap(nats: NatsRelease, config: JsonObject): JsonObject {
  const document: JsonObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(nats, nats.names.configMap),
    data: { 'nats.conf': printConfig(config) },
  };
  return overlaid(nats, document, ['configMap']);
}

function serviceAccount(nats: NatsRelease): JsonObject {
  const document: JsonObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(nats, nats.names.serviceAccount) };
  return overlaid(nats, document, ['serviceAccount']);
}

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
  const { values, issues: missing } = context.switches['security-blocks']
    ? applySecurityBlock(given, context)
    : { values: given, issues: [] };
  return renderChecked({ ...found, issues: [...found.issues, ...missing] }, () => {
    const issues: Issue[] = [];
    const warnings: Issue[] = [];
    const nats: NatsRelease = { values, context, names: natsNames(values, context.release), issues, warnings };
    const objects = documents(nats).flatMap((document) => {
      const object =
        document === undefined ? undefined : plainObject(document, ['nats'], issues, !context.switches['managed-by']);
      return object === undefined ? [] : [object];
    });
    return { objects, issues, warnings };
  });
}

/** NATS as a part of the platform. */
export const nats: Part = { key: 'nats', defaults, platformDefaults, schema, dead, render };
