/** Key of the endpoint picker's configuration in its ConfigMap. */
export const configKey = 'epp-config-dynamo.yaml';

/** Configuration that scores workers by their KV cache. */
export const configFile = `apiVersion: inference.networking.x-k8s.io/v1alpha1
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
