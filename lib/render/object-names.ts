/**
 * The names of the objects that the operator creates. Names are part of the contract: other objects, manifests of users and running clusters refer
 * to them.
 */

/** The DynamoComponentDeployment, Deployment, Service, Ingress and scaling adapter of one service of a graph. */
export function serviceObjectName(graph: string, service: string): string {
  return `${graph}-${service.toLowerCase()}`;
}

/** The additional Services of a component without Grove: for its leaders, and for its pods in debug mode. */
export function discoveryServiceNames(component: string): { readonly production: string; readonly debug: string } {
  return { production: `${component}-p`, debug: `${component}-d` };
}

/** The headless Service of all components that serve a base model; `hash` is that of the model. */
export function modelServiceName(hash: string): string {
  return `${modelServicePrefix}${hash}`;
}

const modelServicePrefix = 'dynamo-model-';

/** Whether a name is the name of a base model's Service. */
export function isModelServiceName(name: string): boolean {
  return name.startsWith(modelServicePrefix);
}

/** The PodGroup and the LeaderWorkerSet of one replica of a component. */
export function replicaName(component: string, index: number): string {
  return `${component}-${index}`;
}

/** The PodClique of one role of a multinode service on Grove, and the role name of its pods. */
export function cliqueName(service: string, role: 'leader' | 'worker'): string {
  return `${service}-${role === 'leader' ? 'ldr' : 'wkr'}`;
}

/** Fixed names of ServiceAccounts that the operator creates. */
export const account = {
  planner: 'planner-serviceaccount',
  epp: 'epp-serviceaccount',
  profiling: 'dgdr-profiling-job',
} as const;

/** The ServiceAccount with which the pods of a graph discover each other. */
export function discoveryAccount(graph: string): string {
  return `${graph}-k8s-service-discovery`;
}

/** The Role of a graph's ServiceAccount. */
export function accountRoleName(account: string): string {
  return `${account}-role`;
}

/** The RoleBinding of a ServiceAccount. */
export function accountBindingName(account: string): string {
  return `${account}-binding`;
}

/** The InferencePool of a graph's endpoint picker. */
export function inferencePoolName(graph: string): string {
  return `${graph}-pool`;
}

/** The ConfigMap with the configuration of a graph's endpoint picker. */
export function endpointPickerConfigMapName(graph: string): string {
  return `${graph}-epp-config`;
}

/** The file name of the endpoint picker's configuration. */
export const endpointPickerConfigFile = 'epp-config-dynamo.yaml';

/** The profiling Job of a DynamoGraphDeploymentRequest. */
export function profilingJobName(request: string): string {
  return `profile-${request}`;
}

/** The ConfigMap into which a profiling Job writes its result. */
export function profilingOutputName(request: string): string {
  return `dgdr-output-${request}`;
}
