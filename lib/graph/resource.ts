import { ApiObject } from 'cdk8s';

/** Makes a class of `cdk8s import` write its manifest unchanged; generated classes drop fields that their types do not define. */
export function keepManifest<R extends ApiObject>(resource: R): R {
  resource.toJson = () => ApiObject.prototype.toJson.call(resource) as unknown;
  return resource;
}
