/** The examples of each constraint, one accepted and one refused, as a table. */
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../lib/json/index.ts';
import { normalizeResource } from '../../lib/api/normalize.ts';
import { apiVersion, type Kind } from '../../lib/api/schema/kinds.ts';

const request: JsonObject = { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'p:1', config: {} } };
const profiling = (more: JsonObject): JsonObject => ({
  ...request,
  profilingConfig: { profilerImage: 'p:1', config: {}, ...more },
});
const adapter: JsonObject = { replicas: 0, dgdRef: { name: 'g', serviceName: 'Decode' } };
const epp = (config: Json): JsonObject => ({ eppConfig: { config } });
const profiles = [{ name: 'd', plugins: [{ pluginRef: 'p' }] }];
const claim: JsonObject = { name: 'c', create: true, size: '10Gi', storageClass: 'fast', volumeAccessMode: 'ReadWriteOnce' };
const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => item(index));
const service = (count: number): JsonObject => ({ services: Object.fromEntries(many(count, (i) => [`s${i}`, {}])) });

function judge(kind: Kind, spec: Json | undefined) {
  return normalizeResource({ apiVersion, kind, metadata: { name: 'sample' }, ...(spec === undefined ? {} : { spec }) });
}

const accepted: readonly (readonly [Kind, Json | undefined])[] = [
  ['DynamoComponentDeployment', undefined],
  ['DynamoGraphDeployment', undefined],
  ['DynamoComponentDeployment', { replicas: 0 }],
  ['DynamoComponentDeployment', { multinode: { nodeCount: 4 } }],
  ['DynamoComponentDeployment', { volumeMounts: [{ name: 'data', mountPoint: '/d' }] }],
  ['DynamoComponentDeployment', { modelRef: { name: 'llama' } }],
  ['DynamoComponentDeployment', { sharedMemory: { size: '2Gi' } }],
  ['DynamoComponentDeployment', { sharedMemory: { size: 1_073_741_824 } }],
  ['DynamoComponentDeployment', { sharedMemory: { size: '-1' } }],
  ['DynamoComponentDeployment', { envs: [{ name: 'A', value: 'b' }] }],
  ['DynamoComponentDeployment', { resources: { claims: [{ name: 'gpu' }], limits: { gpu: '1', cpu: '2' } } }],
  ['DynamoComponentDeployment', { extraPodSpec: { mainContainer: { image: 'x' } } }],
  ['DynamoComponentDeployment', { eppConfig: { configMapRef: { name: 'cm', key: 'epp.yaml' } } }],
  ['DynamoComponentDeployment', epp({ plugins: [{ type: 'p', parameters: 'e30=' }], schedulingProfiles: profiles })],
  ['DynamoComponentDeployment', { backendFramework: 'sglang', replicas: 3 }],
  ['DynamoComponentDeployment', { replicas: 2_147_483_648 }],
  ['DynamoGraphDeployment', { backendFramework: 'vllm' }],
  ['DynamoGraphDeployment', service(25)],
  ['DynamoGraphDeployment', { pvcs: many(100, () => ({ name: 'c' })) }],
  ['DynamoGraphDeployment', { pvcs: [{ name: 'c', create: false }, claim] }],
  ['DynamoGraphDeployment', { restart: { id: 'r1', strategy: { type: 'Parallel' } } }],
  ['DynamoGraphDeploymentRequest', request],
  ['DynamoGraphDeploymentRequest', { ...request, backend: 'trtllm' }],
  ['DynamoGraphDeploymentRequest', profiling({ config: { sla: { ttft: 50 } } })],
  ['DynamoGraphDeploymentScalingAdapter', adapter],
  ['DynamoModel', { modelName: 'a', baseModelName: 'b', modelType: 'adapter' }],
  ['DynamoWorkerMetadata', { data: { any: ['thing'] } }],
];

test.each(accepted)('accepts %s %j', (kind, spec) => {
  expect(judge(kind, spec).issues).toEqual([]);
});

const refused: readonly (readonly [Kind, Json, string, string])[] = [
  ['DynamoComponentDeployment', { replicas: -1 }, 'spec.replicas FieldValueInvalid', 'must be 0 or more, got -1'],
  ['DynamoComponentDeployment', { replicas: '3' }, 'spec.replicas FieldValueTypeInvalid', 'must be an integer, got "3": remove the quotes'],
  ['DynamoComponentDeployment', { replicas: 1.5 }, 'spec.replicas FieldValueTypeInvalid', 'must be an integer, got 1.5'],
  ['DynamoComponentDeployment', { multinode: { nodeCount: 1 } }, 'spec.multinode.nodeCount FieldValueInvalid', 'must be 2 or more, got 1'],
  ['DynamoComponentDeployment', { volumeMounts: [{ mountPoint: '/d' }] }, 'spec.volumeMounts[0].name FieldValueRequired', 'is required'],
  ['DynamoComponentDeployment', { modelRef: { revision: 'v1' } }, 'spec.modelRef.name FieldValueRequired', 'is required'],
  ['DynamoComponentDeployment', { sharedMemory: { size: 'lots' } }, 'spec.sharedMemory.size FieldValueInvalid', 'must be a quantity such as 500m or 2Gi, got "lots"'],
  ['DynamoComponentDeployment', { sharedMemory: { size: '' } }, 'spec.sharedMemory.size FieldValueInvalid', 'must be a quantity such as 500m or 2Gi, got ""'],
  ['DynamoComponentDeployment', { sharedMemory: { size: true } }, 'spec.sharedMemory.size FieldValueTypeInvalid', 'must be an integer or a string, got true'],
  ['DynamoComponentDeployment', { envs: [{ value: 'b' }] }, 'spec.envs[0].name FieldValueRequired', 'is required'],
  ['DynamoComponentDeployment', { envs: [null] }, 'spec.envs[0] FieldValueTypeInvalid', 'must be an object, got null'],
  ['DynamoComponentDeployment', { resources: { claims: [{ request: 'r' }] } }, 'spec.resources.claims[0].name FieldValueRequired', 'is required'],
  ['DynamoComponentDeployment', { resources: { limits: { gpu: 1 } } }, 'spec.resources.limits.gpu FieldValueTypeInvalid', 'must be a string, got 1: put it in quotes'],
  ['DynamoComponentDeployment', { extraPodSpec: { containers: [{ image: 'x' }] } }, 'spec.extraPodSpec.containers[0].name FieldValueRequired', 'is required'],
  ['DynamoComponentDeployment', { extraPodSpec: { containers: [{ name: 'a' }, { name: 'a' }, { name: 'a' }] } }, 'spec.extraPodSpec.containers[1] FieldValueDuplicate', 'duplicate of entry 0: both have name "a"'],
  ['DynamoComponentDeployment', { extraPodSpec: { containers: ['a'] } }, 'spec.extraPodSpec.containers[0] FieldValueInvalid, spec.extraPodSpec.containers[0] FieldValueTypeInvalid', 'must be an object, got "a"'],
  ['DynamoComponentDeployment', { extraPodSpec: { mainContainer: { ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] } } }, 'spec.extraPodSpec.mainContainer.ports[1] FieldValueDuplicate', 'duplicate of entry 0: both have containerPort 80 and protocol "TCP"'],
  ['DynamoComponentDeployment', { eppConfig: { configMapRef: { name: 'cm' } } }, 'spec.eppConfig.configMapRef.key FieldValueRequired', 'is required'],
  ['DynamoComponentDeployment', epp({ plugins: [{ type: 'p' }] }), 'spec.eppConfig.config.schedulingProfiles FieldValueRequired', 'is required'],
  ['DynamoComponentDeployment', epp({ plugins: [{ name: 'x' }], schedulingProfiles: profiles }), 'spec.eppConfig.config.plugins[0].type FieldValueRequired', 'is required'],
  ['DynamoComponentDeployment', epp({ plugins: [{ type: 'p', parameters: { a: 1 } }], schedulingProfiles: profiles }), 'spec.eppConfig.config.plugins[0].parameters FieldValueTypeInvalid', 'must be a string, got an object'],
  ['DynamoComponentDeployment', epp({ plugins: [{ type: 'p', parameters: '{}' }], schedulingProfiles: profiles }), 'spec.eppConfig.config.plugins[0].parameters FieldValueTypeInvalid', 'must be base64, got "{}"'],
  ['DynamoComponentDeployment', { backendFramework: 'onnx' }, 'spec.backendFramework FieldValueNotSupported', 'must be one of sglang, vllm, trtllm, got "onnx"'],
  ['DynamoComponentDeployment', { backendFramework: 5 }, 'spec.backendFramework FieldValueNotSupported, spec.backendFramework FieldValueTypeInvalid', 'must be a string, got 5: put it in quotes'],
  ['DynamoComponentDeployment', 'text', 'spec FieldValueTypeInvalid', 'must be an object, got "text"'],
  ['DynamoGraphDeployment', { backendFramework: '' }, 'spec.backendFramework FieldValueNotSupported', 'must be one of sglang, vllm, trtllm, got ""'],
  ['DynamoGraphDeployment', service(26), 'spec.services FieldValueTooMany', 'must have at most 25 entries, got 26'],
  ['DynamoGraphDeployment', { pvcs: many(101, () => ({ name: 'c' })) }, 'spec.pvcs FieldValueTooMany', 'must have at most 100 entries, got 101'],
  ['DynamoGraphDeployment', { pvcs: [{ create: false }] }, 'spec.pvcs[0].name FieldValueRequired', 'is required'],
  ['DynamoGraphDeployment', { pvcs: [{ name: 'c', create: true }] }, 'spec.pvcs[0] FieldValueInvalid', 'When create is true, size, storageClass, and volumeAccessMode are required'],
  ['DynamoGraphDeployment', { pvcs: [without(claim, 'size')] }, 'spec.pvcs[0] FieldValueInvalid', 'When create is true, size, storageClass, and volumeAccessMode are required'],
  ['DynamoGraphDeployment', { backendFramework: 'tgi', pvcs: [{ name: 'c', create: true }] }, 'spec.backendFramework FieldValueNotSupported', 'must be one of sglang, vllm, trtllm, got "tgi"'],
  ['DynamoGraphDeployment', { restart: {} }, 'spec.restart.id FieldValueRequired', 'is required'],
  ['DynamoGraphDeployment', { restart: { id: '' } }, 'spec.restart.id FieldValueInvalid', 'must not be empty'],
  ['DynamoGraphDeployment', { restart: { id: 'r', strategy: { type: 'parallel' } } }, 'spec.restart.strategy.type FieldValueNotSupported', 'must be one of Sequential, Parallel, got "parallel"'],
  ['DynamoGraphDeployment', { services: { decode: { extraPodSpec: { mainContainer: { env: [{ name: 'A' }, { name: 'A' }] } } } } }, 'spec.services[decode].extraPodSpec.mainContainer.env[1] FieldValueDuplicate', 'duplicate of entry 0: both have name "A"'],
  ['DynamoGraphDeployment', { services: { 'a.b/c~d': { replicas: true } } }, 'spec.services.a.b/c~d.replicas FieldValueTypeInvalid', 'must be an integer, got true'],
  ['DynamoGraphDeploymentRequest', without(request, 'model'), 'spec.model FieldValueRequired', 'is required'],
  ['DynamoGraphDeploymentRequest', without(request, 'profilingConfig'), 'spec.profilingConfig FieldValueRequired', 'is required'],
  ['DynamoGraphDeploymentRequest', { ...request, backend: 'auto' }, 'spec.backend FieldValueNotSupported', 'must be one of vllm, sglang, trtllm, got "auto"'],
  ['DynamoGraphDeploymentRequest', { ...request, profilingConfig: { config: {} } }, 'spec.profilingConfig.profilerImage FieldValueRequired', 'is required'],
  ['DynamoGraphDeploymentRequest', profiling({ config: [1] }), 'spec.profilingConfig.config FieldValueTypeInvalid', 'must be an object, got a list'],
  ['DynamoGraphDeploymentRequest', profiling({ configMapRef: { key: 'a.yaml' } }), 'spec.profilingConfig.configMapRef.name FieldValueRequired', 'is required'],
  ['DynamoGraphDeploymentScalingAdapter', { ...adapter, replicas: -1 }, '.spec.replicas FieldValueInvalid, spec.replicas FieldValueInvalid', 'must be 0 or more, got -1'],
  ['DynamoGraphDeploymentScalingAdapter', { ...adapter, replicas: 2_147_483_648 }, '.spec.replicas FieldValueInvalid', 'must be 2147483647 or less, got 2147483648'],
  ['DynamoGraphDeploymentScalingAdapter', without(adapter, 'replicas'), 'spec.replicas FieldValueRequired', 'is required'],
  ['DynamoGraphDeploymentScalingAdapter', { replicas: 1, dgdRef: { name: 'g' } }, 'spec.dgdRef.serviceName FieldValueRequired', 'is required'],
  ['DynamoGraphDeploymentScalingAdapter', { replicas: 1, dgdRef: { name: '', serviceName: 'd' } }, 'spec.dgdRef.name FieldValueInvalid', 'must not be empty'],
  ['DynamoModel', { baseModelName: 'b' }, 'spec.modelName FieldValueRequired', 'is required'],
  ['DynamoModel', { modelName: 'a', baseModelName: 'b', modelType: 'LoRA' }, 'spec.modelType FieldValueNotSupported', 'must be one of base, lora, adapter, got "LoRA"'],
  ['DynamoModel', { modelName: 'a', baseModelName: 'b', source: {} }, 'spec.source.uri FieldValueRequired', 'is required'],
  ['DynamoWorkerMetadata', {}, 'spec.data FieldValueRequired', 'is required'],
]; // prettier-ignore

test.each(refused)('rejects %s %j', (kind, spec, causes, message) => {
  const { issues } = judge(kind, spec);
  expect(issues.map((issue) => issue.message)).toEqual([message]);
  const found = issues.flatMap((issue) => issue.causes.map(({ field, reason }) => `${field} ${reason}`));
  expect([...new Set(found)].sort().join(', ')).toBe(causes);
});
