import type { SpanTable } from '../../api/index.ts';

/** Executable Python modules of Dynamo, by the releases that contain them. */
export const moduleSpans: SpanTable = {
  '0.4.0': `dynamo.frontend dynamo.frontend.main dynamo.mocker dynamo.mocker.main dynamo.trtllm dynamo.trtllm.main dynamo.vllm
    dynamo.vllm.main`,
  '0.4.0..0.4.0': `dynamo.planner.utils.planner_core dynamo.sglang.decode_worker.main dynamo.sglang.utils.benchmarking.generate_bench_data
    dynamo.sglang.utils.sgl_http_server dynamo.sglang.worker.main`,
  '0.4.0..0.5.1': `dynamo.llama_cpp dynamo.llama_cpp.main dynamo.planner.prometheus dynamo.sglang.decode_worker
    dynamo.sglang.utils.clear_namespace dynamo.sglang.worker`,
  '0.4.0..0.9-main': 'dynamo.planner.planner_sla',
  '0.4.0..1.0.2': 'dynamo.planner.kubernetes_connector',
  '0.4.1': 'dynamo.sglang dynamo.sglang.main',
  '0.4.1..1.0.2': 'dynamo.planner.utils.perf_interpolation',
  '0.5.1..0.5.1': 'dynamo.vllm_prefill_router',
  '0.6.0': 'dynamo.router',
  '0.6.0..1.0.2': 'dynamo.planner.utils.pre_swept_results_utils',
  '0.8.0': 'dynamo.mocker.utils.planner_profiler_perf_data_converter',
  '0.9-main': 'dynamo.global_router',
  '1.0.0':
    'dynamo.global_planner dynamo.planner dynamo.profiler dynamo.profiler.profile_endpoint dynamo.profiler.utils.model_info',
  '1.0.0..1.0.2': 'dynamo.planner.utils.planner_config',
  '1.1.1': `dynamo.common.backend.sample_main dynamo.common.recv_forward_pass_metrics dynamo.indexer
    dynamo.planner.config.planner_config dynamo.planner.connectors.kubernetes dynamo.profiler.utils.replay_optimize.example
    dynamo.replay dynamo.vllm.omni`,
  '1.1.1..1.2.1': 'dynamo.planner.core.throughput.pre_swept_results',
  '1.1.1..1.3.1': 'dynamo.sglang.unified_main dynamo.trtllm.unified_main dynamo.vllm.unified_main',
  '1.2.1': 'dynamo.tokenspeed dynamo.tokenspeed.unified_main',
  '1.3.1': `dynamo.common.backend.sample_diffusion_main dynamo.planner.examples.external_plugin.reference_runner dynamo.select_service
    dynamo.slot_tracker dynamo.thunderagent_router`,
  '1.3.1..1.3.1': 'dynamo.sglang.unified_diffusion_main dynamo.trtllm.unified_diffusion_main dynamo.vllm.unified_omni_main',
  '1.4.1': 'dynamo.common.utils.install_media_decoders dynamo.kv_dc_relay dynamo.sglang.sidecar dynamo.squeeze_evolve',
};

/** Annotations that users set and the operator reads, without `nvidia.com/`, by the releases that read them. */
export const annotationSpans: SpanTable = {
  '0.4.0': 'deployment-strategy enable-grove',
  '0.4.0..0.4.0': `deployment-type enable-container-privileged enable-container-ptrace enable-host-ipc enable-host-network enable-host-pid
    lws-size run-container-as-root`,
  '0.4.0..0.9-main': 'enable-debug-mode enable-debug-pod-receive-production-traffic enable-stealing-traffic-debug-mode',
  '0.4.1': 'enable-metrics',
  '0.5.0': 'kai-scheduler-queue',
  '0.5.1': 'disable-image-pull-secret-discovery',
  '0.7.0': 'dynamo-discovery-backend',
  '0.8.0': 'deployment-rolling-update-max-surge deployment-rolling-update-max-unavailable',
  '0.9.0': 'restartAt',
  '1.0.0': 'vllm-distributed-executor-backend',
  '1.1.1': 'dynamo-kube-discovery-mode',
  '1.3.1': 'volcano-queue',
  '1.4.1': 'grove-update-strategy',
};
