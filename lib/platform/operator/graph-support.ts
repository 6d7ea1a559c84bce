import { laterFields, type KubernetesObject } from '../../api/index.ts';
import { formatPath, type JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { effectiveBlock } from '../values.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { operatorRelease } from './release.ts';

/** Release of the original operator that is rendered; undefined if the operator supports every field, or there is none. */
export function operatorReleaseOf(values: JsonObject, context: PlatformContext): string | undefined {
  const block = effectiveBlock({ key: 'dynamo-operator', defaults, platformDefaults }, values);
  if (!block.enabled || block.issues.length > 0 || !context.switches['release-flags']) return undefined;
  return operatorRelease(block.values, context).published;
}

/** Errors about fields of a graph that the operator of a release does not support. */
export function unsupportedFields(object: KubernetesObject, release: string): readonly string[] {
  const { kind, metadata } = object;
  const name = `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
  return laterFields(object, release).map(
    ({ path, what }) =>
      `${name}: ${formatPath(path)}: release ${release} of the operator does not have ${what}; remove it, or set platform.operator.kind to dynamo-cdk8s, which has it`,
  );
}
