import { laterFields } from '../../api/index.ts';
import { formatPath, type JsonObject } from '../../json/index.ts';
import type { KubernetesObject } from '../part.ts';
import type { PlatformContext } from '../platform-context.ts';
import { effectiveBlock } from '../values.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { operatorRelease } from './release.ts';

/** Release of the original that a rendered operator is of; undefined where it knows every field, or there is no operator. */
export function operatorReleaseOf(values: JsonObject, context: PlatformContext): string | undefined {
  const block = effectiveBlock({ key: 'dynamo-operator', defaults, platformDefaults }, values);
  if (!block.enabled || block.issues.length > 0 || !context.switches['release-flags']) return undefined;
  return operatorRelease(block.values, context).published;
}

/** What a graph asks for that the operator of a release does not have, in words for the user. */
export function unsupportedFields(object: KubernetesObject, release: string): readonly string[] {
  const { kind, metadata } = object;
  const name = `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
  return laterFields(object, release).map(
    ({ path, what }) =>
      `${name}: ${formatPath(path)}: release ${release} of the operator does not have ${what}; remove it, or run the operator that has it: platform.operator.kind dynamo-cdk8s`,
  );
}
