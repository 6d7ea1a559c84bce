import { type JsonObject } from '../../../lib/json/index.ts';
import { type LintContext } from '../../../lib/lint/index.ts';
import { frontend, graph, pathModel, vllmModel, worker } from '../../../lib/lint/sample.ts';

/** Something a rule reports. */
export type Firing = readonly [
  id: string,
  what: string,
  severity: string,
  resources: readonly JsonObject[],
  path: string,
  context?: LintContext,
];

/** Something a rule must leave alone though it looks like the mistake. */
export type Silent = readonly [id: string, what: string, resources: readonly JsonObject[], context?: LintContext];

/** A graph of a frontend and one worker. */
export const withWorker = (one: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}) =>
  graph({ Frontend: frontend(), Worker: one }, spec, metadata);
/** A vLLM worker with a model. */
export const vllm = (args: readonly string[] = [], extra: JsonObject = {}, container: JsonObject = {}) =>
  worker('vllm', [...vllmModel, ...args], extra, container);
/** A worker that a shell script starts. */
export const shell = (script: string, extra: JsonObject = {}) => worker('vllm', [script], extra, { command: ['/bin/sh', '-c'] });
/** A deployment request. */
export const request = (spec: JsonObject, name = 'sla') => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeploymentRequest',
  metadata: { name },
  spec: { model: 'm', backend: 'trtllm', autoApply: false, ...spec },
});
/** What a worker over two nodes has. */
export const twoNodes = (gpu: string) => ({
  multinode: { nodeCount: 2 },
  resources: { limits: { gpu } },
  sharedMemory: { size: '80Gi' },
});
/** A planner with the given arguments. */
export const planner = (args: readonly string[]) => ({
  componentType: 'planner',
  replicas: 1,
  extraPodSpec: { mainContainer: { image: 'vllm-runtime:0.9.0', command: ['python3', '-m', 'planner_sla'], args } },
});
/** An SGLang worker of one role. */
export const sglang = (role: string, port: string) =>
  worker('sglang', [...pathModel, '--disaggregation-mode', role, '--disaggregation-bootstrap-port', port], {
    subComponentType: role,
  });
