import { type ApiObject, JsonPatch } from 'cdk8s';
import type { Container } from '../../api/index.ts';
import { isObject } from '../../json/index.ts';
import { restrictedContainer } from '../pod-security.ts';
import type { PlatformContext } from '../platform-context.ts';

/** Adds a container to the pods of a Deployment; its security context defaults to that of the profile. */
export function addContainer(deployment: ApiObject | undefined, container: Container, context: PlatformContext): void {
  if (deployment === undefined) throw new Error(`container ${container.name}: there is no operator Deployment to add it to`);
  const given: unknown = container.securityContext;
  const securityContext = restrictedContainer(isObject(given) ? given : {}, context);
  const added = Object.keys(securityContext).length === 0 ? container : { ...container, securityContext };
  deployment.addJsonPatch(JsonPatch.add('/spec/template/spec/containers/-', added));
}
