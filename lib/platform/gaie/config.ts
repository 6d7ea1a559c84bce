import type { JsonObject } from '../../json/index.ts';
import { chartName } from '../release-names.ts';
import type { GaieRelease } from './release.ts';

/** Key of the endpoint picker's configuration in its ConfigMap. */
export const configKey = 'epp-config-dynamo.yaml';

/** Configuration that scores workers by their KV cache. */
const configFile = `apiVersion: inference.networking.x-k8s.io/v1alpha1
kind: EndpointPickerConfig
plugins:
- type: single-profile-handler
- name: picker
  type: max-score-picker
- name: dyn-kv
  type: kv-aware-scorer
schedulingProfiles:
- name: default
  plugins:
  - pluginRef: dyn-kv
    weight: 1
  - pluginRef: picker
`;

/** The ConfigMap with the endpoint picker's configuration. */
export function configMap({ values, context, configMap: name }: GaieRelease): JsonObject {
  const labels = {
    'app.kubernetes.io/name': chartName({ chart: 'dynamo-gaie', nameOverride: values['nameOverride'] }),
    'app.kubernetes.io/instance': context.release,
  };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { [configKey]: configFile } };
}
