import { fullName } from '../release-names.ts';
import { dynamoNamespace } from '../../api/index.ts';
import { type JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString } from '../go-values.ts';

/** The values, context and names that the objects of the inference gateway share. */
export interface GaieRelease {
  readonly values: JsonObject;
  readonly context: PlatformContext;
  /** Prefix of the names: the model's short name. */
  readonly stem: string;
  readonly configMap: string;
  readonly account: string;
}

/** The Dynamo namespace of the graph, in which its workers register. */
export function pickerDynamoNamespace({ values, context }: Pick<GaieRelease, 'values' | 'context'>): string {
  return dynamoNamespace(context.namespace, templateString(atPath(values, 'dynamoGraphDeploymentName')), false);
}

/** Derives the names from the effective values. */
export function gaieRelease(values: JsonObject, context: PlatformContext): GaieRelease {
  const full = fullName({
    release: context.release,
    chart: 'dynamo-gaie',
    nameOverride: values['nameOverride'],
    fullnameOverride: values['fullnameOverride'],
  });
  const stem = templateString(atPath(values, 'model.shortName'));
  const account = context.switches['gaie-repairs'] ? `${stem}-epp` : 'default';
  return { values, context, stem, configMap: `${full}-epp-config`, account };
}
