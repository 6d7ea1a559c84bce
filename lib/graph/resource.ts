import { ApiObject } from 'cdk8s';

/** A resource of `cdk8s import` that writes its manifest as it was given: the generated classes drop what their types do not know. */
export function keepManifest<R extends ApiObject>(resource: R): R {
  resource.toJson = () => ApiObject.prototype.toJson.call(resource) as unknown;
  return resource;
}
