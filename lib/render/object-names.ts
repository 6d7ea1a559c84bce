/**
 * The name of every object the operator makes. Names are part of the contract: other objects, the graphs of users and running clusters refer to
 * them.
 */

/** The name of what runs and exposes one service of a graph: component resource, Deployment, Service, Ingress and scaling adapter. */
export function serviceObjectName(graph: string, service: string): string {
  return `${graph}-${service.toLowerCase()}`;
}

/** The Services that Kubernetes discovery adds to a component without Grove: for its leaders, and for its pods in debug mode. */
export function discoveryServiceNames(component: string): { readonly production: string; readonly debug: string } {
  return { production: `${component}-p`, debug: `${component}-d` };
}

/** The headless Service of all components that serve a base model; `hash` stands for the model. */
export function modelServiceName(hash: string): string {
  return `${modelServicePrefix}${hash}`;
}

const modelServicePrefix = 'dynamo-model-';

/** Whether a name is that of a base model's Service. */
export function isModelServiceName(name: string): boolean {
  return name.startsWith(modelServicePrefix);
}

/** The pod group and the LeaderWorkerSet of one replica of a component. */
export function replicaName(component: string, index: number): string {
  return `${component}-${index}`;
}

/** The clique of one role of a service on Grove, and the pods' role name: the service itself unless it spans nodes. */
export function cliqueName(service: string, role: 'main' | 'leader' | 'worker'): string {
  return role === 'main' ? service : `${service}-${role === 'leader' ? 'ldr' : 'wkr'}`;
}

/** Fixed names of accounts the operator makes. */
export const account = {
  planner: 'planner-serviceaccount',
  epp: 'epp-serviceaccount',
  profiling: 'dgdr-profiling-job',
} as const;

/** The account under which a graph's pods discover each other. */
export function discoveryAccount(graph: string): string {
  return `${graph}-k8s-service-discovery`;
}

/** The Role of an account of a graph. */
export function accountRoleName(account: string): string {
  return `${account}-role`;
}

/** The RoleBinding of an account. */
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

/** The file of an endpoint picker's configuration. */
export const endpointPickerConfigFile = 'epp-config-dynamo.yaml';

/** The Job that profiles for a deployment request. */
export function profilingJobName(request: string): string {
  return `profile-${request}`;
}

/** The ConfigMap a profiling Job leaves its result in. */
export function profilingOutputName(request: string): string {
  return `dgdr-output-${request}`;
}
