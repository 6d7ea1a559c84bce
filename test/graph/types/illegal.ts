// Combinations the compiler must refuse: each line below `@ts-expect-error` fails to type-check, and this file fails if one no longer does.
import { Duration, Size } from 'cdk8s';
import {
  DynamoGraph,
  DynamoGraphRequest,
  DynamoModel,
  Engine,
  KvConnector,
  LoraStore,
  Model,
  Placement,
  Router,
  Search,
  type DynamoChart,
} from '../../../lib/graph/index.ts';

import { DynamoPlatform } from '../../../lib/platform/index.ts';

declare const chart: DynamoChart;
const model = Model.huggingFace('Qwen/Qwen3-0.6B');
const lora = { maxRank: 64, store: LoraStore.huggingFace() };
const sla = { isl: 1, osl: 1, ttft: Duration.millis(1), itl: Duration.millis(1) };
const graph = new DynamoGraph(chart, 'g', { model, engine: Engine.vllm() });

/** Never called: only its types matter. */
export function illegal(): void {
  // @ts-expect-error a number in quotes is for YAML and --set
  new DynamoPlatform(chart, 'p', { values: { 'dynamo-operator': { controllerManager: { replicas: '2' } } } });
  // @ts-expect-error of etcd too
  new DynamoPlatform(chart, 'p', { values: { etcd: { replicaCount: '3' } } });
  // @ts-expect-error a container has a name
  new DynamoPlatform(chart, 'p').addOperatorSidecar({ image: 'example.com/proxy:1' });
  // @ts-expect-error a port is a number
  new DynamoPlatform(chart, 'p').addOperatorSidecar({ name: 'proxy', ports: [{ containerPort: '8080' }] });
  // @ts-expect-error an engine's options are its own: SGLang has pages, not blocks
  Engine.sglang({ blockSize: 16 });
  // @ts-expect-error adapters exclude a connector
  Engine.vllm({ lora, connector: KvConnector.nixl() });
  // @ts-expect-error only vLLM serves adapters
  Engine.sglang({ lora });
  // @ts-expect-error a configuration is data or a file, not both
  Engine.trtllm({ config: {}, configFile: '/x.yaml' });
  // @ts-expect-error `none` cannot be combined with others
  KvConnector.multi(KvConnector.none(), KvConnector.nixl());
  // @ts-expect-error GPUs are counted
  Engine.vllm({ parallel: { tensor: -1 } });
  // @ts-expect-error there is no half GPU
  Engine.sglang({ parallel: { tensor: 1.5 } });
  // @ts-expect-error a layer needs a GPU
  Engine.trtllm({ parallel: { pipeline: 0 } });
  // @ts-expect-error neither in a variant
  Engine.vllm().with({ parallel: { data: -2 } });
  // @ts-expect-error a misspelt option of parallelism
  Engine.vllm({ parallel: { tensorParallel: 2 } });
  for (const tensor of [1, 2, 4]) Engine.vllm({ parallel: { tensor } });
  // @ts-expect-error TensorRT-LLM has no such key; others go into extraConfig
  Engine.trtllm({ config: { tensor_paralel_size: 4 } });
  // @ts-expect-error it is a number
  Engine.trtllm({ config: { max_batch_size: 'many' } });
  Engine.trtllm({ config: { max_batch_size: 4 }, extraConfig: { brand_new: true } });
  // @ts-expect-error a number is no word
  Engine.vllm({ maxModelLen: 'long' });

  // @ts-expect-error how long guesses are trusted is asked only where the router guesses
  Router.kv({ ttl: 60 });
  // @ts-expect-error tuning of the KV cache means nothing in turn
  Router.roundRobin({ overlapScoreWeight: 1 });

  DynamoGraph.disaggregated(chart, 'g', {
    model,
    engine: Engine.vllm(),
    // @ts-expect-error both roles run the same engine, and it is this one that is wrong
    decode: { engine: Engine.sglang() },
  });
  // @ts-expect-error an aggregated graph has no prefill workers
  DynamoGraph.aggregated(chart, 'g', { model, engine: Engine.vllm(), prefill: {} });
  // @ts-expect-error a graph without a model serves nothing
  DynamoGraph.aggregated(chart, 'g', { engine: Engine.vllm() });
  // @ts-expect-error only vLLM keeps compiled kernels
  DynamoGraph.aggregated(chart, 'g', { model, engine: Engine.sglang(), worker: { compilationCache: true } });
  // @ts-expect-error the operator knows no such engine
  new DynamoGraph(chart, 'g', { backend: 'llamacpp' });

  // @ts-expect-error arguments without a command would lose the module
  graph.addFrontend({ container: { args: ['--http-port', '8000'] } });
  // @ts-expect-error a frontend has no GPUs
  graph.addFrontend({ gpus: 1 });
  // @ts-expect-error there is one planner
  graph.addPlanner({ replicas: 2 });
  // @ts-expect-error there is one endpoint picker
  graph.addEpp({ replicas: 2 });
  // @ts-expect-error its configuration is given once
  graph.addEpp({ config: { plugins: [], schedulingProfiles: [] }, configMap: { name: 'c' }, configMapKey: 'k' });
  // @ts-expect-error a ConfigMap without a key says nothing
  graph.addEpp({ configMap: { name: 'c' } });
  // @ts-expect-error the operator gives this type no probes and no ports
  graph.addComponent('w', { type: 'main' });
  // @ts-expect-error cores have no unit
  graph.addFrontend({ cpu: '2 cores' });
  // @ts-expect-error memory is a Size
  graph.addWorker('w', { memory: '64GB' });
  // @ts-expect-error GPUs are a number
  graph.addWorker('w', { gpus: 'two' });
  // @ts-expect-error quantities are numbers
  graph.addWorker('w', { resources: { 'rdma/ib': 'all' } });
  // @ts-expect-error Kubernetes writes 64G or 64Gi
  graph.addWorker('w', { resources: { 'hugepages-2Mi': '64GB' } });
  graph.addWorker('w', { cpu: '500m', resources: { 'rdma/ib': 2, 'hugepages-2Mi': '64Gi' } });
  // @ts-expect-error spread placements would lose each other's affinity
  // oxlint-disable-next-line typescript/no-misused-spread -- the mistake under test
  graph.addWorker('w', { pod: { ...Placement.gpuNodes() } });
  // @ts-expect-error the operator creates no Ingress without a class
  graph.addFrontend({ ingress: { host: 'chat' } });
  // @ts-expect-error a restart is in sequence or in parallel
  new DynamoGraph(chart, 'g', { restart: { id: '1', strategy: { type: 'Rolling' } } });
  // @ts-expect-error sizes have units
  graph.addWorker('w', { sharedMemory: '80Gi' });
  graph.addWorker('w', { sharedMemory: Size.gibibytes(80) });

  // @ts-expect-error workers read S3 and Hugging Face only
  graph.addLora('l', { modelName: 'l', uri: 'https://example.com/l' });
  // @ts-expect-error an adapter has files
  new DynamoModel(chart, 'm', { modelName: 'm', baseModelName: 'b', type: 'lora' });
  // @ts-expect-error AI Configurator needs the system it computes for
  new DynamoGraphRequest(chart, 'r', { model, backend: 'vllm', sla, search: Search.aiConfigurator({}) });
  // @ts-expect-error a path says nothing of the name clients ask for
  Model.path('/models/x');
}
