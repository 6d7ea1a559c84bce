import { valueAt, objectAt } from '../../json/index.ts';
import { Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import { isObject, type Json, type JsonObject } from '../../api/index.ts';
import { Model } from '../model.ts';
import type { Platform } from '../platform.ts';
import {
  DynamoGraphRequest,
  Search,
  type AiConfiguratorOptions,
  type DynamoGraphRequestProps,
  gpuSystems,
} from '../graph-request.ts';
import { call, literal, name, type Code } from './code.ts';
import { propsCode, type Props } from './overrides.ts';

const runtimes: Readonly<Record<string, string>> = {
  vllm: 'vllm-runtime',
  sglang: 'sglang-runtime',
  trtllm: 'tensorrtllm-runtime',
};

function millis(value: Json | undefined): Code<Duration> | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
    ? call('Duration.millis', (n: number) => Duration.millis(n), literal(value))
    : undefined;
}

function slaCode(sla: JsonObject): Code | undefined {
  const [ttft, itl] = [millis(sla['ttft']), millis(sla['itl'])];
  const plain = ['isl', 'osl'].every((k) => typeof sla[k] === 'number');
  if (ttft === undefined || itl === undefined || !plain || Object.keys(sla).length !== 4) return undefined;
  return propsCode({ isl: literal(sla['isl']), osl: literal(sla['osl']), ttft, itl });
}

function searchCode(sweep: JsonObject): Code | undefined {
  const { useAiConfigurator, aicSystem: system, ...rest } = sweep;
  if (useAiConfigurator !== true || Object.keys(rest).length > 0 || !gpuSystems.some((known) => known === system))
    return undefined;
  return call(
    'Search.aiConfigurator',
    (o: AiConfiguratorOptions) => Search.aiConfigurator(o),
    literal({ system }) as Code<AiConfiguratorOptions>,
  );
}

function hardwareCode(hardware: Json | undefined): Code | undefined {
  if (!isObject(hardware)) return undefined;
  const { minNumGpusPerEngine: minGpus, maxNumGpusPerEngine: maxGpus, numGpusPerNode: gpusPerNode } = hardware;
  const known = { minGpus, maxGpus, gpusPerNode };
  return literal(Object.fromEntries(Object.entries(known).filter(([, v]) => v !== undefined)));
}

/** Code for a request from the properties that can be read; the caller checks whether it creates the same object. */
export function requestCode(
  doc: JsonObject,
  id: string,
  chart: Construct,
  platform: Platform,
): Code<DynamoGraphRequest> | undefined {
  const spec = objectAt(doc, 'spec');
  const config = objectAt(spec, 'profilingConfig', 'config');
  const sla = slaCode(objectAt(config, 'sla'));
  const { model, backend, autoApply } = spec;
  if (sla === undefined || typeof model !== 'string' || typeof backend !== 'string' || !Object.hasOwn(runtimes, backend))
    return undefined;
  const image = platform.image(runtimes[backend] ?? '');
  const [profiler, workers] = [
    valueAt(spec, 'profilingConfig', 'profilerImage'),
    valueAt(spec, 'deploymentOverrides', 'workersImage'),
  ];
  const base = objectAt(spec, 'profilingConfig', 'configMapRef');
  const cache = objectAt(config, 'deployment', 'modelCache');
  const sweep = objectAt(config, 'sweep');
  const { sla: _, sweep: _s, hardware, deployment, ...more } = config;
  const online = JSON.stringify(sweep) === '{"useAiConfigurator":false}';
  const search = searchCode(sweep);
  const further = { ...more, ...(online || search !== undefined ? {} : { sweep }) };
  const props: Props = {
    model: call('Model.huggingFace', (m: string) => Model.huggingFace(m), literal(model)),
    backend: literal(backend),
    sla,
    search,
    hardware: hardwareCode(hardware),
    modelCache:
      deployment === undefined ? undefined : literal({ cache: { claimName: cache['pvcName'] }, path: cache['pvcPath'] }),
    base: Object.keys(base).length === 0 ? undefined : literal({ configMap: { name: base['name'] }, key: base['key'] }),
    autoApply: autoApply === false ? undefined : literal(autoApply),
    profilerImage: profiler === image ? undefined : literal(profiler),
    workersImage: workers === image ? undefined : literal(workers),
    config: Object.keys(further).length === 0 ? undefined : literal(further),
  };
  const make = (scope: Construct, ownId: string, given: DynamoGraphRequestProps): DynamoGraphRequest =>
    new DynamoGraphRequest(scope, ownId, given);
  return call(
    'new DynamoGraphRequest',
    make,
    name('chart', chart),
    literal(id),
    propsCode(props) as Code<DynamoGraphRequestProps>,
  );
}
